/** Before the first sample, as RFC 9002 section 6.2.2. */
const FIRST_RTT_US = 333_000
/** Timer grain of the portable backend. */
export const GRANULARITY_US = 1000

/** Round-trip time after RFC 9002 section 5. Acknowledgement delay is measured exactly by the peer, so it is always taken off. */
export class RttEstimator {
  smoothed = FIRST_RTT_US
  variance = FIRST_RTT_US / 2
  latest = FIRST_RTT_US
  hasSample = false

  /** `sampleUs` has the acknowledgement delay taken off; at least 1 us. */
  update(sampleUs: number): void {
    this.latest = sampleUs
    if (!this.hasSample) {
      this.hasSample = true
      this.smoothed = sampleUs
      this.variance = sampleUs / 2
      return
    }
    this.variance += (Math.abs(this.smoothed - sampleUs) - this.variance) / 4
    this.smoothed += (sampleUs - this.smoothed) / 8
  }

  /** Probe time-out without backoff; `ackDelayUs` is the longest that the peer may wait before it acknowledges. */
  probeTimeout(ackDelayUs: number): number {
    return this.smoothed + Math.max(4 * this.variance, GRANULARITY_US) + ackDelayUs
  }
}
