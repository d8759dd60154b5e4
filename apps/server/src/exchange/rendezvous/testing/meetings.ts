import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { GwtProgram } from '@godwit/transfer/testing'
import type { Site } from '../../../security/testing/sites.ts'

/** A folder with a file to send, and where it goes. */
export class Luggage implements Disposable {
  readonly file: string
  readonly into: string
  readonly #folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-rendezvous-'))

  constructor(bytes: number) {
    this.file = path.join(this.#folder, 'film.bin')
    this.into = path.join(this.#folder, 'in')
    fs.mkdirSync(this.into)
    fs.writeFileSync(this.file, randomBytes(bytes))
  }

  /** Whether what arrived has the hash of what was sent. */
  get isWhole(): boolean {
    return hashOf(this.file) === hashOf(path.join(this.into, 'film.bin'))
  }

  [Symbol.dispose](): void {
    fs.rmSync(this.#folder, { recursive: true, force: true })
  }
}

function hashOf(file: string): string {
  return createHash('sha256').update(fs.readFileSync(file)).digest('hex')
}

export interface GwtWords {
  readonly prefix?: readonly string[]
  readonly options?: readonly string[]
  readonly code?: string
  readonly token?: string
}

/** `gwt recv --via`, waiting. */
export async function receiver(
  url: string,
  into: string,
  words: GwtWords = {},
): Promise<{ gwt: GwtProgram; code: string }> {
  const gwt = gwtOf(['recv', into, '--via', url], words)
  const listening = await gwt.named('listening')
  const { code } = listening
  return { gwt, code: typeof code === 'string' ? code : '' }
}

export function sender(url: string, file: string, words: GwtWords): GwtProgram {
  return gwtOf(['send', '--via', url, file], words)
}

function gwtOf(command: readonly string[], { prefix = [], options = [], code = '', token }: GwtWords): GwtProgram {
  const env = token === undefined ? [] : ['env', `GODWIT_TOKEN=${token}`]
  return new GwtProgram([...command, ...options], { prefix: [...prefix, ...env], code })
}

/** What the relay carried for each meeting that is over, in order. */
export function relayedBytes(site: Pick<Site, 'godwit'>): number[] {
  return [...site.godwit.output().matchAll(/"relayedBytes":(\d+),"msg":"a meeting has ended"/g)].map(([, bytes]) =>
    Number(bytes),
  )
}
