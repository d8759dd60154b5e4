import { Console } from 'node:console'
import { FrameReader, frameHead, MAX_FRAME_BYTES, type DecodeAnswer, type FileRequest } from './frames.ts'
import { PictureFault } from './picture-fault.ts'

type Work<Request> = (file: Uint8Array, request: Request) => Promise<Uint8Array>

/** The loop of a process that decodes: one file after the other comes by standard input, what is made of it goes out again. */
export async function serveDecoder<Request extends FileRequest>(work: Work<Request>): Promise<void> {
  // Libraries report to standard output, which belongs to the answers.
  globalThis.console = new Console(process.stderr, process.stderr)
  const requests = new FrameReader(process.stdin)
  // Ready: the time for a file begins now, not while the libraries are loaded.
  await send(new Uint8Array())
  for (;;) {
    const frame = await requests.next(MAX_FRAME_BYTES)
    if (frame === undefined) return
    const request = JSON.parse(new TextDecoder().decode(frame)) as Request
    await answer(await readFile(requests, request.bytes), request, work)
  }
}

async function readFile(requests: FrameReader, bytes: number): Promise<Uint8Array> {
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

async function answer<Request>(file: Uint8Array, request: Request, work: Work<Request>): Promise<void> {
  try {
    const made = await work(file, request)
    await send(head({}))
    await send(made)
  } catch (thrown) {
    if (!(thrown instanceof PictureFault)) throw thrown
    await send(head({ fault: thrown.fault }))
  }
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
