import { describe, expect, it } from 'vitest'
import { decode, encode, KINDS } from './message.ts'
import { Reader, typesIn, Writer } from './wire.ts'

describe('values on the bus', () => {
  it('come back as they were written, whatever stands before them', () => {
    const signature = 'ysa(iiay)a{sv}bog(ss)aauiv'
    const values = [
      ...[7, '塍鹬', [[1, -2, [3, 4]]], [['key', { type: 'as', value: ['a', ''] }]], true, '/a/b', 'a{sv}'],
      ...[['x', 'y'], [[1, 4_000_000_000], []], -5, { type: '(su)', value: ['s', 9] }],
    ]
    const written = new Writer().writeAll(signature, values).finish()
    expect(new Reader(written, true).readAll(signature)).toEqual(values)
  })

  it('are of the types that the signature names, and of no other', () => {
    expect(typesIn('ua(ia{sv}av)s')).toEqual(['u', 'a(ia{sv}av)', 's'])
    for (const wrong of ['h', 'a', '(', 'z']) expect(() => new Writer().writeAll(wrong, [[[]]])).toThrow('no such type')
  })

  it('arrive in messages, however they are cut', () => {
    const call = { path: '/a', interface: 'b.c', member: 'D', destination: 'e.f', signature: 'su' }
    const messages = [
      { ...call, kind: KINDS.call, serial: 1, body: ['text', 5] },
      { kind: KINDS.answer, serial: 2, replyTo: 9, body: [] },
    ]
    const bytes = Buffer.concat(messages.map(encode))
    let rest: Buffer = Buffer.alloc(0)
    const found = Array.from(bytes, (byte) => {
      const step = decode(Buffer.concat([rest, Buffer.of(byte)]))
      ;({ rest } = step)
      return step.messages
    }).flat()
    expect(found).toEqual(messages)
    const huge = encode({ kind: KINDS.call, serial: 1, body: [] })
    huge.writeUInt32LE(0xff_ff_ff_f0, 4)
    expect(() => decode(huge)).toThrow('too long')
  })
})
