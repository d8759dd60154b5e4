import { fakeClock, KiB } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { BodyRates, RATE_WINDOW_MS } from './body-rates.ts'

/** A body whose sender is in the hand of the test. */
function openBody() {
  const clock = fakeClock()
  const rates = new BodyRates(clock)
  const sent: Uint8Array[] = []
  let arrived: () => void = () => {}
  async function* source(): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      const chunk = sent.shift()
      if (chunk !== undefined) yield chunk
      else await new Promise<void>((resolve) => (arrived = resolve))
    }
  }
  let isCut = false
  const watched = rates.watch(source(), () => (isCut = true))
  const send = (size: number): void => {
    sent.push(new Uint8Array(size))
    arrived()
  }
  return { clock, rates, send, watched, isCut: () => isCut }
}

describe('slow senders (fault plan, row 27)', () => {
  it('cuts a body below 1 KiB/s after 60 s', async () => {
    const body = openBody()
    body.send(59 * KiB)
    await body.watched.next()
    void body.watched.next()
    body.clock.advance(RATE_WINDOW_MS - 1)
    body.rates.sweep()
    expect(body.isCut()).toBe(false)
    body.clock.advance(1)
    body.rates.sweep()
    expect(body.isCut()).toBe(true)
  })

  it('lets a body of 1 KiB/s go on for hours', async () => {
    const body = openBody()
    for (let minute = 0; minute < 600; minute++) {
      const next = body.watched.next()
      body.clock.advance(RATE_WINDOW_MS - 1)
      body.rates.sweep()
      body.send(60 * KiB)
      await next
      body.clock.advance(1)
      body.rates.sweep()
      expect(body.isCut()).toBe(false)
    }
  })

  it('does not blame the sender while the server is writing', async () => {
    const body = openBody()
    body.send(1)
    await body.watched.next()
    body.clock.advance(10 * RATE_WINDOW_MS)
    body.rates.sweep()
    expect(body.isCut()).toBe(false)
  })

  it('forgets a body that has ended', async () => {
    const body = openBody()
    body.send(1)
    await body.watched.next()
    await body.watched.return?.()
    body.clock.advance(10 * RATE_WINDOW_MS)
    body.rates.sweep()
    expect(body.isCut()).toBe(false)
  })
})
