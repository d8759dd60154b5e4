/** Losses that make a reliable estimate by themselves. */
const RELIABLE_LOSSES = 200
/** Packets of old estimate that new rounds are weighed against. */
const MEMORY_PACKETS = 20_000
const FIRST_EVIDENCE = 200
const TAGS = 256

/**
 * Learns p0, the share of packets that this path loses without congestion, from phases that do not press on it.
 * Packets carry the tag of the phase that sent them, so each phase answers for its own losses, however late they show.
 */
export class LossBaseline {
  readonly #acked = new Float64Array(TAGS)
  readonly #lost = new Float64Array(TAGS)
  readonly #cap: number
  #tag = 0
  #packets = 0
  #losses = 0
  #share = 0
  #seenPackets = 0
  #seenLosses = 0

  constructor(cap: number, saved = 0) {
    this.#cap = cap
    this.#share = Math.min(cap, saved)
    this.#packets = saved > 0 ? FIRST_EVIDENCE : 0
    this.#losses = this.#packets * this.#share
  }

  /** Share of innocent loss, 0 to the cap. */
  get share(): number {
    return this.#share
  }

  /** Tag for packets sent from now on. */
  get tag(): number {
    return this.#tag
  }

  newPhase(): number {
    this.#tag = (this.#tag + 1) % TAGS
    this.#acked[this.#tag] = 0
    this.#lost[this.#tag] = 0
    this.#seenPackets = 0
    this.#seenLosses = 0
    return this.#tag
  }

  onAcked(tag: number): void {
    this.#acked[tag] = (this.#acked[tag] ?? 0) + 1
  }

  onLost(tag: number): void {
    this.#lost[tag] = (this.#lost[tag] ?? 0) + 1
  }

  /** A loss that was none. */
  onSpurious(tag: number): void {
    this.#lost[tag] = Math.max(0, (this.#lost[tag] ?? 0) - 1)
    this.#acked[tag] = (this.#acked[tag] ?? 0) + 1
  }

  resolved(tag: number): number {
    return (this.#acked[tag] ?? 0) + (this.#lost[tag] ?? 0)
  }

  lossOf(tag: number): number {
    const resolved = this.resolved(tag)
    return resolved === 0 ? 0 : (this.#lost[tag] ?? 0) / resolved
  }

  /** Whether the phase lost more than `share` beyond doubt: three deviations of a binomial. */
  exceeds(tag: number, share: number): boolean {
    const resolved = this.resolved(tag)
    const doubt = 3 * Math.sqrt(resolved * share * (1 - share)) + 2
    return (this.#lost[tag] ?? 0) > resolved * share + doubt
  }

  /** Packets of the current phase resolved since the last `learn` or `skip`. */
  get recentPackets(): number {
    return this.resolved(this.#tag) - this.#seenPackets
  }

  get recentLosses(): number {
    return (this.#lost[this.#tag] ?? 0) - this.#seenLosses
  }

  /** Takes the recent packets into the baseline: for stretches that did not press. */
  learn(): void {
    const packets = this.recentPackets
    const losses = this.recentLosses
    this.skip()
    if (packets <= 0) return
    const keep = this.#losses >= RELIABLE_LOSSES ? Math.min(1, MEMORY_PACKETS / (this.#packets + packets)) : 1
    this.#packets = this.#packets * keep + packets
    this.#losses = Math.max(0, this.#losses * keep + losses)
    if (this.#packets >= FIRST_EVIDENCE) this.#share = Math.min(this.#cap, this.#losses / this.#packets)
  }

  /** Leaves the recent packets out of the baseline. */
  skip(): void {
    this.#seenPackets = this.resolved(this.#tag)
    this.#seenLosses = this.#lost[this.#tag] ?? 0
  }

  /** Innocent loss is part of all loss: a stretch that lost clearly less than the baseline proves it too high. */
  bound(packets: number, losses: number): void {
    const most = losses + 3 * Math.sqrt(losses) + 2
    if (packets < FIRST_EVIDENCE || most >= packets * this.#share) return
    this.#packets = packets
    this.#losses = most
    this.#share = most / packets
  }

  /** The losses were congestion after all. */
  forget(): void {
    this.#packets = 0
    this.#losses = 0
    this.#share = 0
  }
}
