import { createCipheriv } from 'node:crypto'

/** A content of its own, made again whenever it is compared. */
export interface Content {
  readonly number: number
  readonly size: number
}

export function bytesOf({ number, size }: Content): Buffer<ArrayBuffer> {
  const key = Buffer.alloc(16)
  key.writeUInt32LE(number + 1)
  return Buffer.from(createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(size)))
}

interface Expected {
  acknowledged: Content | undefined
  /** Sent since, and never answered. */
  tried: Content[]
}

/** What may stand under each name: what was acknowledged last, or something that was sent after it. */
export class ExpectedFiles {
  readonly #files = new Map<string, Expected>()

  tried(name: string, content: Content): void {
    this.#of(name).tried.push(content)
  }

  acknowledged(name: string, content: Content): void {
    this.#files.set(name, { acknowledged: content, tried: [] })
  }

  /**
   * What was sent and never answered may still appear after it was looked for: the server goes on with it after its start.
   * @param found undefined when nothing stands there
   * @returns 'whole' when that may be
   */
  judge(name: string, found: Buffer | undefined): 'whole' | 'lost' | 'half' {
    const expected = this.#of(name)
    if (found === undefined) return expected.acknowledged === undefined ? 'whole' : 'lost'
    const allowed = [expected.acknowledged, ...expected.tried].filter((content) => content !== undefined)
    const match = allowed.find((content) => content.size === found.length && bytesOf(content).equals(found))
    if (match === undefined) return 'half'
    this.#files.set(name, { acknowledged: match, tried: expected.tried.filter((content) => content !== match) })
    return 'whole'
  }

  names(): string[] {
    return [...this.#files.keys()]
  }

  /** Names whose content was acknowledged, oldest first. */
  settled(): string[] {
    return this.names().filter((name) => this.#files.get(name)?.acknowledged !== undefined)
  }

  forget(name: string): Content | undefined {
    const content = this.#files.get(name)?.acknowledged
    this.#files.delete(name)
    return content
  }

  #of(name: string): Expected {
    const expected = this.#files.get(name) ?? { acknowledged: undefined, tried: [] }
    this.#files.set(name, expected)
    return expected
  }
}
