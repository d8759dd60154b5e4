import { configure, type CreateReadableOptions, type FileEntry, Reader, ZipReader } from '@zip.js/zip.js'
import { openSpan, readSpan } from '../read-spans.ts'
import { type ArchiveEntry, type ArchiveSource, entryPath } from './archive-entries.ts'

// The browser inflates by itself, so there is no need for a worker that the page's policy would have to allow.
configure({ useWebWorkers: false })

/** A zip on the server, read by ranges: its directory, and of its content only what somebody picks. */
class SpanReader extends Reader<string> {
  readonly #url: string
  readonly #signal: AbortSignal

  constructor({ url, size, signal }: ArchiveSource) {
    super(url)
    this.#url = url
    this.size = size
    this.#signal = signal
  }

  override async readUint8Array(index: number, length: number): Promise<Uint8Array> {
    const end = Math.min(this.size, index + length)
    return end <= index ? new Uint8Array() : readSpan(this.#url, index, end, this.#signal)
  }

  /** One request for the whole of an entry. */
  override createReadable({
    offset = 0,
    size = this.size - offset,
  }: CreateReadableOptions = {}): ReadableStream<Uint8Array> {
    const pipe = new TransformStream<Uint8Array, Uint8Array>()
    const send = async (): Promise<void> => {
      if (size <= 0) return pipe.writable.close()
      const { status, body } = await openSpan(this.#url, offset, offset + size, this.#signal)
      if (status !== 206 || body === null) throw new Error('the server does not answer ranges')
      await body.pipeTo(pipe.writable)
    }
    send().catch((cause: unknown) => pipe.writable.abort(cause).catch(() => undefined))
    return pipe.readable
  }
}

/** Archives from Chinese systems carry names in their own encoding and do not say so. */
function decodeName(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('gb18030').decode(bytes)
  }
}

/** What a name may not be is this page's to say, not a reason to show nothing of the archive. */
const NAMES = {
  decodeText: decodeName,
  filenameValidation: 'tolerant',
  normalizeFilename: (name: string) => `${entryPath(name)}${/[/\\]$/.test(name) ? '/' : ''}`,
} as const

/**
 * The entries of a zip, zip64 included, in the order of its directory.
 * @throws ApiError from the server, Error when the archive is damaged
 */
export async function* readZip(source: ArchiveSource): AsyncGenerator<ArchiveEntry> {
  const reader = new ZipReader(new SpanReader(source))
  for await (const entry of reader.getEntriesGenerator(NAMES)) {
    const path = entryPath(entry.filename)
    if (path === '') continue
    yield {
      path,
      isFolder: entry.directory,
      size: entry.uncompressedSize,
      time: Math.floor(entry.lastModDate.getTime() / 1000),
      isEncrypted: entry.encrypted,
      open: () => (entry.directory ? Promise.resolve(new Blob()) : inflate(entry)),
    }
  }
}

/** Never makes more bytes than the directory announced: a small file may inflate to any size. */
async function inflate(entry: FileEntry): Promise<Blob> {
  let left = entry.uncompressedSize
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.length
      if (left < 0) controller.error(new Error('the entry is larger than the archive says'))
      else controller.enqueue(chunk)
    },
  })
  const [blob] = await Promise.all([
    new Response(bounded.readable).blob(),
    entry.getData(bounded.writable, { checkSignature: true }),
  ])
  return blob
}
