/**
 * What happens, by name, with its payload, for every node. Features add theirs by declaration merging
 * (`declare module '../../kernel/events/bus.ts'`), so that no layer names a higher one. Payloads travel as JSON.
 */
export interface Signals {
  /** There are new durable events. */
  readonly 'outbox.added': Readonly<Record<string, never>>
}

/** What concerns this process alone; payloads may be anything. */
export interface LocalSignals {
  /** Signals of other nodes may have been lost: what is kept in memory because of them can be out of date. */
  readonly 'bus.interrupted': Readonly<Record<string, never>>
}

export type SignalName = keyof Signals
export type LocalSignalName = keyof LocalSignals
/** `here`: published in this process. */
export type SignalOrigin = 'here' | 'elsewhere'
type AnySignals = Signals & LocalSignals
type Listener<Name extends keyof AnySignals> = (payload: AnySignals[Name], origin: SignalOrigin) => void

/** Notifies whoever listens now; nothing is kept. For what must not be lost, use the outbox. */
export interface Bus {
  /** Listeners here are called before it returns, those of other nodes within half a second. */
  publish<Name extends SignalName>(name: Name, payload: Signals[Name]): void
  /** For what only listeners of this process can use. */
  publishHere<Name extends LocalSignalName>(name: Name, payload: LocalSignals[Name]): void
  /** @returns a function that ends the subscription */
  subscribe<Name extends keyof AnySignals>(name: Name, listener: Listener<Name>): () => void
  /** Resolves when what was published here is on its way to the other nodes. */
  flush(): Promise<void>
  /** Resolves when listeners here have been called for all that other nodes flushed before. */
  catchUp(): Promise<void>
}

/** What survives a way as JSON; `never` for functions and instances with methods. */
type Sendable<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends (...args: never) => unknown
    ? never
    : T extends object
      ? { readonly [Key in keyof T]: unknown extends T[Key] ? T[Key] : Sendable<T[Key]> }
      : T
type Unsendable = { [Name in SignalName]: Signals[Name] extends Sendable<Signals[Name]> ? never : Name }[SignalName]
/** Fails to compile, naming the signal, when a payload could not reach another node: use {@link LocalSignals} or send a key. */
const ALL_SENDABLE: [Unsendable] extends [never] ? true : Unsendable = true
void ALL_SENDABLE

/** Hands texts to all other nodes and receives theirs. */
export interface BusCarrier {
  /**
   * @param receive gets what other nodes sent
   * @param onGap called after some of it may have been lost
   */
  start(receive: (text: string) => void, onGap: () => void): Promise<void>
  send(text: string): Promise<void>
  /** Resolves when all that was sent before is received. */
  catchUp(): Promise<void>
  stop(): Promise<void>
}

export interface RunningBus extends Bus {
  /** Begins to exchange signals with other nodes. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** Signals that wait for a carrier that is away; more are dropped, which the other nodes notice as a gap. */
const WAITING_MAX = 10_000
/** Signals in one text. */
const BATCH = 100

/**
 * @param onError receives what a listener or the carrier throws; the other listeners still run
 * @param carrier without one the bus ends at this process
 */
export function createBus(onError: (name: string, thrown: unknown) => void, carrier?: BusCarrier): RunningBus {
  const listeners = new Map<string, Set<(payload: never, origin: SignalOrigin) => void>>()
  const waiting: Array<readonly [string, unknown]> = []
  let sending: Promise<void> | undefined
  let isStarted = false

  function deliver(name: string, payload: unknown, origin: SignalOrigin): void {
    for (const listener of [...(listeners.get(name) ?? [])]) {
      try {
        listener(payload as never, origin)
      } catch (thrown) {
        onError(name, thrown)
      }
    }
  }

  async function sendAll(): Promise<void> {
    // A turn later, so that what is published together travels together.
    await Promise.resolve()
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH)
      try {
        await carrier?.send(JSON.stringify(batch))
      } catch (thrown) {
        onError(batch[0]?.[0] ?? '', thrown)
      }
    }
    sending = undefined
  }

  function receive(text: string): void {
    for (const [name, payload] of JSON.parse(text) as Array<readonly [string, unknown]>)
      deliver(name, payload, 'elsewhere')
  }

  return {
    publish(name, payload) {
      deliver(name, payload, 'here')
      if (!isStarted || carrier === undefined || waiting.length >= WAITING_MAX) return
      waiting.push([name, payload])
      sending ??= sendAll()
    },
    publishHere: (name, payload) => deliver(name, payload, 'here'),
    subscribe(name, listener) {
      const group = listeners.get(name) ?? new Set()
      listeners.set(name, group.add(listener))
      return () => group.delete(listener)
    },
    flush: async () => sending,
    catchUp: async () => carrier?.catchUp(),
    async start() {
      await carrier?.start(receive, () => deliver('bus.interrupted', {}, 'here'))
      isStarted = true
    },
    async stop() {
      isStarted = false
      await sending
      await carrier?.stop()
    },
  }
}
