import type { LocalSignIn } from '@godwit/contract'
import { PageError } from '../page/page-error.ts'
import type { Profiles } from '../profiles/profile.ts'
import { type BegunSignIn, beginSignIn, keepSignIn, SignInRefused } from '../server-link/device-sign-in.ts'

export interface SignInDeps {
  readonly profiles: Profiles
  readonly signal: AbortSignal
  /** Tests stand in for a server. */
  readonly begin?: (server: string) => Promise<BegunSignIn>
  readonly keep?: (profiles: Profiles, given: { readonly server: string; readonly token: string }) => Promise<unknown>
}

/** The one sign-in that the page of the client has begun. No server hears of this client before. */
export class PageSignIn {
  readonly #deps: SignInDeps
  #view: LocalSignIn | null = null
  #stop = new AbortController()

  constructor(deps: SignInDeps) {
    this.#deps = deps
  }

  get view(): LocalSignIn | null {
    return this.#view
  }

  /** Resolves with the code in the view. @throws PageError LOCAL_SERVER_AWAY */
  async begin(server: string): Promise<void> {
    this.stop()
    const stop = new AbortController()
    this.#stop = stop
    const begun = await (this.#deps.begin ?? beginSignIn)(server).catch((cause: unknown) => {
      throw new PageError('LOCAL_SERVER_AWAY', { cause })
    })
    // Another one was begun meanwhile, or the person thought better of it.
    if (stop.signal.aborted) return
    const { url, userCode } = begun
    this.#view = { server, state: 'waiting', url, userCode }
    void this.#follow(begun, server, stop.signal)
  }

  /** Also takes away what became of the last one. */
  stop(): void {
    this.#stop.abort()
    this.#view = null
  }

  async #follow({ url, userCode, token }: BegunSignIn, server: string, stopped: AbortSignal): Promise<void> {
    const { profiles, signal, keep = keepSignIn } = this.#deps
    const show = (view: LocalSignIn | null): void => {
      if (!stopped.aborted) this.#view = view
    }
    try {
      const granted = await token(AbortSignal.any([signal, stopped]))
      if (stopped.aborted) return
      await keep(profiles, { server, token: granted })
      show(null)
    } catch (thrown) {
      show({ server, state: thrown instanceof SignInRefused ? thrown.reason : 'failed', url, userCode })
    }
  }
}
