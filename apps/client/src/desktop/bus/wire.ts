/** A value whose type travels with it. */
export interface Variant {
  readonly type: string
  readonly value: unknown
}

/** D-Bus specification, "Marshaling (Wire Format)": each type begins at a multiple of this. */
const ALIGNMENT: Readonly<Record<string, number>> = {
  ...{ y: 1, g: 1, v: 1, b: 4, i: 4, u: 4, s: 4, o: 4, a: 4, '(': 8, '{': 8 },
}
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '{': '}' }

/** The complete types that a signature is made of. @throws Error for a type that this client does not use */
export function typesIn(signature: string): readonly string[] {
  const types: string[] = []
  for (let at = 0; at < signature.length; at += types.at(-1)?.length ?? 1) types.push(typeAt(signature, at))
  return types
}

function typeAt(signature: string, at: number): string {
  const first = signature[at] ?? ''
  if (ALIGNMENT[first] === undefined) throw new Error(`no such type: ${signature.slice(at)}`)
  if (first === 'a') return `a${typeAt(signature, at + 1)}`
  const closing = CLOSING[first]
  if (closing === undefined) return first
  let end = at + 1
  while (signature[end] !== closing) end += typeAt(signature, end).length
  return signature.slice(at, end + 1)
}

/** Writes values in little-endian order. */
export class Writer {
  readonly #bytes: number[] = []

  write(type: string, value: unknown): this {
    this.#align(type)
    switch (type.charAt(0)) {
      case 'y':
        this.#bytes.push(Number(value))
        return this
      case 'b':
      case 'i':
      case 'u':
        return this.#number(Number(value))
      case 's':
      case 'o':
        return this.#number(Buffer.byteLength(String(value))).#text(String(value))
      case 'g':
        this.#bytes.push(String(value).length)
        return this.#text(String(value))
      case 'v': {
        const { type: inner, value: content } = value as Variant
        return this.write('g', inner).write(inner, content)
      }
      case 'a':
        return this.#array(type.slice(1), value as readonly unknown[])
      default:
        return this.writeAll(type.slice(1, -1), value as readonly unknown[])
    }
  }

  writeAll(signature: string, values: readonly unknown[]): this {
    for (const [at, type] of typesIn(signature).entries()) this.write(type, values[at])
    return this
  }

  /** As before a structure. */
  pad(): this {
    this.#align('(')
    return this
  }

  get length(): number {
    return this.#bytes.length
  }

  finish(): Buffer {
    return Buffer.from(this.#bytes)
  }

  #align(type: string): void {
    const step = ALIGNMENT[type[0] ?? ''] ?? 1
    while (this.#bytes.length % step !== 0) this.#bytes.push(0)
  }

  #number(value: number): this {
    for (let shift = 0; shift < 32; shift += 8) this.#bytes.push((value >>> shift) & 0xff)
    return this
  }

  #text(value: string): this {
    for (const byte of Buffer.from(value)) this.#bytes.push(byte)
    this.#bytes.push(0)
    return this
  }

  /** The length counts neither itself nor the padding before the first element. */
  #array(type: string, values: readonly unknown[]): this {
    const lengthAt = this.#bytes.length
    this.#number(0).#align(type)
    const start = this.#bytes.length
    for (const value of values) this.write(type, value)
    const length = this.#bytes.length - start
    for (let at = 0; at < 4; at++) this.#bytes[lengthAt + at] = (length >>> (8 * at)) & 0xff
    return this
  }
}

/** Reads values in the order of bytes of their message. Out of range is an error of Node. */
export class Reader {
  readonly #bytes: Buffer
  readonly #isLittle: boolean
  #at: number

  constructor(bytes: Buffer, isLittle: boolean, at = 0) {
    this.#bytes = bytes
    this.#isLittle = isLittle
    this.#at = at
  }

  read(type: string): unknown {
    this.#align(type)
    switch (type.charAt(0)) {
      case 'y':
        return this.#bytes.readUInt8(this.#at++)
      case 'b':
        return this.#number() === 1
      case 'i':
        return this.#number() | 0
      case 'u':
        return this.#number()
      case 's':
      case 'o':
        return this.#text(this.#number())
      case 'g':
        return this.#text(this.#bytes.readUInt8(this.#at++))
      case 'v': {
        const inner = String(this.read('g'))
        return { type: inner, value: this.read(inner) } satisfies Variant
      }
      case 'a':
        return this.#array(type.slice(1))
      default:
        return this.readAll(type.slice(1, -1))
    }
  }

  readAll(signature: string): readonly unknown[] {
    return typesIn(signature).map((type) => this.read(type))
  }

  #align(type: string): void {
    const step = ALIGNMENT[type[0] ?? ''] ?? 1
    this.#at = Math.ceil(this.#at / step) * step
  }

  #number(): number {
    const at = this.#at
    this.#at += 4
    return this.#isLittle ? this.#bytes.readUInt32LE(at) : this.#bytes.readUInt32BE(at)
  }

  #text(length: number): string {
    const text = this.#bytes.toString('utf8', this.#at, this.#at + length)
    this.#at += length + 1
    return text
  }

  #array(type: string): readonly unknown[] {
    const length = this.#number()
    this.#align(type)
    const end = this.#at + length
    const values: unknown[] = []
    while (this.#at < end) values.push(this.read(type))
    return values
  }
}
