import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Holds an inhibitor lock of logind while something is transferred, so that the computer does not fall asleep over it. The lock is
 * a file descriptor, which Node cannot receive over a socket: systemd-inhibit holds it, and lets go when its input ends, however this
 * process ends.
 */
export class KeepAwake implements Disposable {
  readonly #environment: NodeJS.ProcessEnv
  readonly #report: (reason: string) => void
  #holder: ChildProcess | undefined
  #isMissing = false

  /** @param report why this computer cannot be kept awake; called once */
  constructor(environment: NodeJS.ProcessEnv, report: (reason: string) => void) {
    this.#environment = environment
    this.#report = report
  }

  set(isAwake: boolean): void {
    if (!isAwake) this.#release()
    else if (this.#holder === undefined && !this.#isMissing) this.#hold()
  }

  #hold(): void {
    const words = ['--what=sleep:idle', '--mode=block', '--who=Godwit', '--why=Transferring files', 'cat']
    const holder = spawn('systemd-inhibit', words, { stdio: ['pipe', 'ignore', 'pipe'], env: this.#environment })
    this.#holder = holder
    let said = ''
    holder.stderr.on('data', (text: Buffer) => (said = `${said}${text.toString()}`.slice(0, 500)))
    // It ended before the input was closed: what became of it is reported below.
    holder.stdin.on('error', () => undefined)
    const end = (reason: string): void => {
      if (this.#holder !== holder) return
      this.#holder = undefined
      // Another attempt with each file would fail as this one did.
      this.#isMissing = true
      this.#report(reason)
    }
    holder.on('error', ({ message }) => end(message))
    holder.on('close', () => end(said.trim()))
  }

  #release(): void {
    const holder = this.#holder
    this.#holder = undefined
    holder?.stdin?.end()
  }

  [Symbol.dispose](): void {
    this.#release()
  }
}
