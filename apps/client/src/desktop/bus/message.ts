import { Reader, type Variant, Writer } from './wire.ts'

/** D-Bus specification, "Message Types". */
export const KINDS = { call: 1, answer: 2, error: 3, signal: 4 } as const

export interface Message {
  readonly kind: number
  readonly serial: number
  readonly path?: string
  readonly interface?: string
  readonly member?: string
  readonly error?: string
  /** The call that this answers. */
  readonly replyTo?: number
  readonly destination?: string
  readonly sender?: string
  readonly signature?: string
  readonly body: readonly unknown[]
}

/** Names and types of the header fields, by their number. */
const FIELDS = [
  ['path', 'o'],
  ['interface', 's'],
  ['member', 's'],
  ['error', 's'],
  ['replyTo', 'u'],
  ['destination', 's'],
  ['sender', 's'],
  ['signature', 'g'],
] as const

const LITTLE = 0x6c
const VERSION = 1
const HEAD = 16
/** "Message Protocol": no message is longer; this client never needs a tenth of it. */
const LONGEST = 16 * 2 ** 20

export function encode(message: Message): Buffer {
  const { signature = '', body } = message
  const content = new Writer().writeAll(signature, body).finish()
  const fields = FIELDS.flatMap(([name, type], at) => {
    const value = message[name]
    return value === undefined || value === '' ? [] : [[at + 1, { type, value } satisfies Variant]]
  })
  const head = new Writer()
    .writeAll('yyyyuu', [LITTLE, message.kind, 0, VERSION, content.length, message.serial])
    .write('a(yv)', fields)
    .pad()
  return Buffer.concat([head.finish(), content])
}

/** Takes messages out of what has arrived. @throws Error for what no bus sends */
export function decode(bytes: Buffer): { readonly messages: readonly Message[]; readonly rest: Buffer } {
  const messages: Message[] = []
  let rest = bytes
  while (rest.length >= HEAD) {
    const isLittle = rest[0] === LITTLE
    const [, kind = 0, , , bodyLength = 0, serial = 0, fieldsLength = 0] = new Reader(rest, isLittle).readAll(
      'yyyyuuu',
    ) as readonly number[]
    const bodyAt = Math.ceil((HEAD + fieldsLength) / 8) * 8
    const end = bodyAt + bodyLength
    if (end > LONGEST) throw new Error('a message of the bus is too long')
    if (rest.length < end) break
    const fields = new Reader(rest, isLittle, HEAD - 4).read('a(yv)') as ReadonlyArray<readonly [number, Variant]>
    const named = Object.fromEntries(fields.flatMap(([code, { value }]) => [[FIELDS[code - 1]?.[0] ?? '', value]]))
    const { signature: given } = named
    const signature = typeof given === 'string' ? given : ''
    const body = new Reader(rest.subarray(bodyAt, end), isLittle).readAll(signature)
    messages.push({ ...named, kind, serial, body })
    rest = rest.subarray(end)
  }
  return { messages, rest }
}
