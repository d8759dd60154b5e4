import { Console } from 'node:console'
import { confineLibrary, decodePicture } from './decode.ts'
import { FrameReader, frameHead, MAX_FRAME_BYTES, type DecodeAnswer, type DecodeRequest } from './frames.ts'
import type * as Pages from './pages.ts'
import { PictureFault } from './picture-fault.ts'

/**
 * The program of the process that decodes. Whatever a picture does to a library happens here, without a network, without the
 * data of the server, and with a bound on memory; the server ends it when it takes too long.
 */

// Libraries report to standard output, which belongs to the answers.
globalThis.console = new Console(process.stderr, process.stderr)
confineLibrary()

/** Loaded with the first document. */
let pages: typeof Pages | undefined
const requests = new FrameReader(process.stdin)

async function answerAll(): Promise<void> {
  for (;;) {
    const frame = await requests.next(MAX_FRAME_BYTES)
    if (frame === undefined) return
    const request = JSON.parse(new TextDecoder().decode(frame)) as DecodeRequest
    await answer(await readFile(request.bytes), request)
  }
}

async function readFile(bytes: number): Promise<Uint8Array> {
  const file = new Uint8Array(bytes)
  let filled = 0
  for (;;) {
    const frame = await requests.next(MAX_FRAME_BYTES)
    if (frame === undefined) throw new Error('the file is cut off')
    if (frame.length === 0) return file.subarray(0, filled)
    file.set(frame, filled)
    filled += frame.length
  }
}

async function answer(file: Uint8Array, request: DecodeRequest): Promise<void> {
  try {
    const picture = await work(file, request)
    await send(head({}))
    await send(picture)
  } catch (thrown) {
    if (!(thrown instanceof PictureFault)) throw thrown
    await send(head({ fault: thrown.fault }))
  }
}

async function work(file: Uint8Array, request: DecodeRequest): Promise<Uint8Array> {
  if (request.page !== undefined) {
    pages ??= await import('./pages.ts')
    return pages.drawPage(file, request)
  }
  // A picture may need the memory that a document has.
  pages?.letGo()
  return decodePicture(file, request)
}

function head(said: Pick<DecodeAnswer, 'fault'>): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ ...said, memory: process.memoryUsage.rss() } satisfies DecodeAnswer))
}

async function send(frame: Uint8Array): Promise<void> {
  process.stdout.write(frameHead(frame.length))
  await new Promise<void>((resolve, reject) =>
    process.stdout.write(frame, (error) => (error == null ? resolve() : reject(error))),
  )
}

// Ready: the time for a picture begins now, not while the libraries are loaded.
await send(new Uint8Array())
await answerAll()
