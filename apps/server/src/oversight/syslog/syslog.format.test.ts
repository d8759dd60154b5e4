import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { framed, syslogMessage } from './syslog.format.ts'

const AT = Date.UTC(2026, 10, 23, 18, 30, 0, 250)

describe('a syslog message', () => {
  it('is one of RFC 5424: audit facility, notice or warning, facts escaped, JSON behind a byte order mark', () => {
    const facts = { seq: 7, actor: 'a"]\\', address: '' }
    const record = { at: AT, id: 'user.edit', isFailure: false, facts, entry: { seq: 7 } }
    expect(syslogMessage(record, 'files example')).toBe(
      `<109>1 2026-11-23T18:30:00.250Z files_example godwit ${process.pid} user.edit [godwit@32473 seq="7" actor="a\\"\\]\\\\"] \u{FEFF}{"seq":7}`,
    )
    expect(syslogMessage({ ...record, isFailure: true }, 'h')).toMatch(/^<108>1 /)
  })

  it('has at most 8 KiB, and says when something was left out', () => {
    const record = { at: AT, id: 'x', isFailure: false, facts: { seq: 1 }, entry: { before: '中'.repeat(4000) } }
    const message = syslogMessage(record, 'h')
    expect(Buffer.byteLength(message)).toBeLessThan(8192)
    expect(message).toContain('{"seq":1,"cut":true}')
  })

  it('can be cut out of a stream again, whatever it holds', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
        const messages = texts.map((text) =>
          syslogMessage({ at: AT, id: text, isFailure: false, facts: { text }, entry: { text } }, text),
        )
        expect(unframed(Buffer.from(messages.map(framed).join('')))).toEqual(messages)
      }),
    )
  })
})

function unframed(stream: Buffer): string[] {
  const messages: string[] = []
  for (let at = 0; at < stream.length;) {
    const space = stream.indexOf(' ', at)
    const end = space + 1 + Number(stream.subarray(at, space).toString())
    messages.push(stream.subarray(space + 1, end).toString())
    at = end
  }
  return messages
}
