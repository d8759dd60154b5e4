import { compareNames, comparePlainNames, type NameBytes } from '@godwit/base'
import { KIND_FILE, KIND_FOLDER, type PackedNames } from '@godwit/storage'
import type { Named } from '../folder-index.ts'

/**
 * The first entries of a folder in order, picked out while it is being read: a page that can be shown before anything is
 * sorted. Each entry is compared with the last one of the best so far, which nearly all of a big folder stand behind.
 */
export class FirstEntries {
  readonly #limit: number
  #best: Candidate[] = []
  #worst: Candidate | undefined

  constructor(limit: number) {
    this.#limit = limit
  }

  take(name: string, kind: number): void {
    const candidate = new Candidate()
    candidate.text = name
    candidate.isFolder = kind === KIND_FOLDER
    if (this.#isAmongFirst(candidate)) this.#add(candidate)
  }

  /** @param names stay as they are while this is in use */
  takePlain({ bytes, ends }: PackedNames, kinds: Uint8Array): void {
    const probe = new Candidate()
    probe.bytes = bytes
    for (let at = 0; at < ends.length; at++) {
      probe.start = probe.end
      probe.end = ends[at] ?? 0
      probe.isFolder = (kinds[at] ?? KIND_FILE) === KIND_FOLDER
      if (this.#isAmongFirst(probe)) this.#add(probe.copy())
    }
  }

  inOrder(): Named[] {
    return this.#sorted().map((candidate) => ({ name: candidate.name, isFolder: candidate.isFolder }))
  }

  #isAmongFirst(candidate: Candidate): boolean {
    return this.#worst === undefined || byPlace(candidate, this.#worst) < 0
  }

  #add(candidate: Candidate): void {
    this.#best.push(candidate)
    if (this.#best.length < 2 * this.#limit) return
    this.#best = this.#sorted()
    this.#worst = this.#best.at(-1)
  }

  #sorted(): Candidate[] {
    return this.#best.toSorted(byPlace).slice(0, this.#limit)
  }
}

const NO_BYTES = new Uint8Array()

/** An entry by its bytes, or by its text where it has no plain name. */
class Candidate implements NameBytes {
  bytes: Uint8Array = NO_BYTES
  start = 0
  end = 0
  text = ''
  isFolder = false

  copy(): Candidate {
    const other = new Candidate()
    other.bytes = this.bytes
    other.start = this.start
    other.end = this.end
    other.text = this.text
    other.isFolder = this.isFolder
    return other
  }

  get name(): string {
    if (!this.isPlain) return this.text
    const { bytes, start, end } = this
    return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()
  }

  get isPlain(): boolean {
    return this.end > 0
  }
}

/** Folders first, then by name. */
function byPlace(left: Candidate, right: Candidate): number {
  if (left.isFolder !== right.isFolder) return left.isFolder ? -1 : 1
  return (left.isPlain && right.isPlain ? comparePlainNames(left, right) : 0) || compareNames(left.name, right.name)
}
