import { execFile } from 'node:child_process'
import { chmod, lstat, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { launch, run as runProgram } from '@godwit/testkit'
import { type Browser, chromium } from '@playwright/test'
import { type Lines, startBus, startWatcher } from '../../apps/client/src/testing/message-bus.ts'
import { bridgePort } from './port-bridge.ts'

const run = promisify(execFile)
/** A browser that starts for the first time on a busy machine. */
const WINDOW_MS = 120_000
const LOOK_MS = 200
const MENU = 'com.canonical.dbusmenu'

/** Chromium as the browser of this desktop: windows that a person sees, which a test may look into as well. */
const BROWSER_FLAGS = [
  ...['--no-sandbox', '--no-first-run', '--disable-background-networking', '--disable-component-update'],
  ...['--disable-sync', '--disable-quic', '--password-store=basic', '--remote-debugging-port=0', '--lang=en-US'],
]

/** Programs of the desktop of this folder, before those of the machine. */
export function toolsOf(folder: string): string {
  return join(folder, 'tools')
}

/** A session of a desktop with nobody at it: a screen, a window manager, a message bus, a panel, and a browser that opens pages. */
export class DesktopSession implements AsyncDisposable {
  readonly environment: NodeJS.ProcessEnv
  readonly panel: Lines
  readonly #folder: string
  readonly #computer: readonly string[]
  readonly #parts: AsyncDisposableStack
  #browser: Browser | undefined

  /**
   * @param folder takes everything that its programs keep
   * @param computer the start of a command line that runs on the computer of the session, where that has a network of its own
   */
  static async open(folder: string, computer: readonly string[] = []): Promise<DesktopSession> {
    await using parts = new AsyncDisposableStack()
    const display = await startScreen(parts)
    const { address } = parts.use(await startBus())
    const panel = parts.use(await startWatcher(address))
    const environment = {
      ...process.env,
      ...{ DISPLAY: display, WAYLAND_DISPLAY: '', DBUS_SESSION_BUS_ADDRESS: address, LC_ALL: 'C.UTF-8', HOME: folder },
      ...{ XDG_CONFIG_HOME: join(folder, 'config'), XDG_DATA_HOME: join(folder, 'share') },
      ...{ GODWIT_CLIENT_HOME: join(folder, 'client'), PATH: `${toolsOf(folder)}:${process.env['PATH']}` },
    }
    const manager = await launch(['openbox'], { env: environment, isReady: () => hasManager(environment) })
    parts.defer(async () => void (await manager.end('SIGTERM')))
    await installBrowser(folder)
    return new DesktopSession(folder, { environment, panel, parts: parts.move(), computer })
  }

  private constructor(
    folder: string,
    made: Pick<DesktopSession, 'environment' | 'panel'> & {
      readonly parts: AsyncDisposableStack
      readonly computer: readonly string[]
    },
  ) {
    this.#folder = folder
    this.#computer = made.computer
    this.environment = made.environment
    this.panel = made.panel
    this.#parts = made.parts
  }

  /** Runs a program of the session to its end. @returns what it printed */
  run(program: string, ...words: readonly string[]): Promise<string> {
    return runProgram(this.#onComputer(program, words), { env: this.environment })
  }

  /** Opens a page as a link on the desktop does. Resolves when the browser has begun. */
  async openPage(url: string): Promise<void> {
    const opening = await launch(this.#onComputer('xdg-open', [url]), {
      env: this.environment,
      isReady: async () => (await this.#devtoolsPort()) !== undefined,
      timeoutMs: WINDOW_MS,
    })
    this.#parts.defer(async () => void (await opening.end('SIGTERM')))
  }

  #onComputer(program: string, words: readonly string[]): readonly [string, ...string[]] {
    const [first, ...rest] = [...this.#computer, program, ...words]
    return [first ?? program, ...rest]
  }

  /** The item that registers next in the panel. @returns its name on the bus */
  async nextItem(): Promise<string> {
    for (;;) {
      const [word, name = ''] = (await this.panel.next()).split(' ')
      if (word === 'registered') return name
    }
  }

  /** Labels of the menu of an item, by their numbers. */
  async menuOf(item: string): Promise<ReadonlyMap<string, number>> {
    const said = await this.#ask('call', item, '/MenuBar', MENU, 'GetLayout', 'iias', '0', '-1', '0')
    const entries = said.matchAll(/\(ia\{sv\}av\) (\d+) \d+ [^(]*?"label" s "([^"]+)"/g)
    return new Map([...entries].map(([, id, label = '']) => [label, Number(id)]))
  }

  /** Chooses an entry of the menu. */
  async choose(item: string, label: string): Promise<void> {
    const menu = await this.menuOf(item)
    const id = menu.get(label)
    if (id === undefined) throw new Error(`the menu has ${[...menu.keys()].join(', ')}`)
    await this.#ask('call', item, '/MenuBar', MENU, 'Event', 'isvu', String(id), 'clicked', 's', '', '0')
  }

  /** Waits for a window on the screen. @param words of `xdotool search` @returns its number */
  async window(...words: readonly string[]): Promise<string> {
    const until = AbortSignal.timeout(WINDOW_MS)
    for (;;) {
      // It fails where there is none, and where another one goes while it looks.
      const found = await this.#hand('search', '--onlyvisible', ...words).catch(() => undefined)
      const window = found?.stdout.trim().split('\n').at(-1)
      if (window !== undefined && window !== '') return window
      if (until.aborted) throw new Error(`no window on the screen with ${words.join(' ')}`)
      await sleep(LOOK_MS)
    }
  }

  /** The browser that a program has opened. */
  async browser(): Promise<Browser> {
    if (this.#browser !== undefined) return this.#browser
    const port = await this.#devtoolsPort()
    if (port === undefined) throw new Error('no browser has begun')
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${await this.#reachable(port)}`)
    this.#parts.defer(async () => {
      const session = await browser.newBrowserCDPSession()
      await session.send('Browser.close').catch(() => undefined)
      // It writes into its folder until the very end, when it takes its lock away.
      while (await lstat(join(this.#folder, 'browser/SingletonLock')).catch(() => undefined)) await sleep(LOOK_MS)
    })
    this.#browser = browser
    return browser
  }

  async #devtoolsPort(): Promise<string | undefined> {
    const said = await readFile(join(this.#folder, 'browser/DevToolsActivePort'), 'utf8').catch(() => '')
    return said === '' ? undefined : said.split('\n')[0]
  }

  /** @returns a port of this process that leads to a port of the computer */
  async #reachable(port: string): Promise<string> {
    if (this.#computer.length === 0) return port
    const bridge = this.#parts.use(await bridgePort({ folder: this.#folder, port, computer: this.#computer }))
    return bridge.port
  }

  async #ask(...words: readonly string[]): Promise<string> {
    const address = this.environment['DBUS_SESSION_BUS_ADDRESS'] ?? ''
    return (await run('busctl', [`--address=${address}`, '--', ...words])).stdout.trim()
  }

  #hand(...words: readonly string[]): Promise<{ readonly stdout: string }> {
    return run('xdotool', words, { env: this.environment, timeout: 40_000 })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.disposeAsync()
  }
}

/** @returns its name, such as `:1` */
async function startScreen(parts: AsyncDisposableStack): Promise<string> {
  const words = ['-displayfd', '1', '-screen', '0', '1400x900x24', '-nolisten', 'tcp', '-noreset'] as const
  const screen = await launch(['Xvfb', ...words], { isReady: (output) => /^\d+\n/m.test(output) })
  parts.defer(async () => void (await screen.end('SIGTERM')))
  return `:${/^\d+$/m.exec(screen.output())?.[0] ?? ''}`
}

async function hasManager(env: NodeJS.ProcessEnv): Promise<boolean> {
  return run('xdotool', ['get_desktop'], { env }).then(
    () => true,
    () => false,
  )
}

/** As a person has chosen it for pages. */
async function installBrowser(folder: string): Promise<void> {
  const [program, applications] = [join(folder, 'browser.sh'), join(folder, 'share/applications')]
  await mkdir(applications, { recursive: true })
  await mkdir(join(folder, 'config'), { recursive: true })
  const flags = [...BROWSER_FLAGS, `--user-data-dir=${join(folder, 'browser')}`].join(' ')
  await writeFile(program, `#!/bin/sh\nexec chromium ${flags} "$@"\n`)
  await chmod(program, 0o755)
  const entry = `[Desktop Entry]\nType=Application\nName=Browser\nExec=${program} %u\nMimeType=text/html;x-scheme-handler/http;\n`
  await writeFile(join(applications, 'browser.desktop'), entry)
  await writeFile(
    join(folder, 'config/mimeapps.list'),
    '[Default Applications]\ntext/html=browser.desktop\nx-scheme-handler/http=browser.desktop\n',
  )
}
