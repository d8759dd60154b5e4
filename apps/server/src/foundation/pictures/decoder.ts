import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Log } from '../../kernel/context.ts'
import { availableMemory } from '../../kernel/request-memory.ts'
import {
  FrameReader,
  frameHead,
  MAX_FRAME_BYTES,
  PictureFault,
  type DecodeAnswer,
  type FileRequest,
} from '../decoding/index.ts'
import { MAX_OUTPUT_BYTES, MAX_WORK_BYTES, RESERVED_BYTES } from './limits.ts'
import type { DecodeRequest } from './picture-request.ts'

interface FileWork {
  /** Opened when it is this file's turn. Chunks are borrowed. */
  readonly read: (signal: AbortSignal) => AsyncIterable<Uint8Array>
  readonly signal: AbortSignal
}

export type DecodeJob<Request extends FileRequest = DecodeRequest> = Request & FileWork

/** One process that decodes files, one after the other. It is there while there is something to do. */
export interface Decoder<Request extends FileRequest = DecodeRequest> {
  /** One at a time. @throws PictureFault, what reading the file throws, the signal's reason */
  decode(job: DecodeJob<Request>): Promise<Uint8Array>
  /** Ends the process and what it works on. */
  stop(): void
}

export interface DecoderOptions {
  readonly log: Log
  /** What is run; default: the decoder. */
  readonly program?: string
  /** For one picture, its file being read included; then the process is ended. The start of the process does not count. */
  readonly limitMs?: number
  /** For the process to be ready. A busy machine takes seconds to load the libraries. */
  readonly startMs?: number
  /** The process ends when it has had nothing to do for so long. */
  readonly idleMs?: number
}

const LIMIT_MS = 20_000
const START_MS = 60_000
const IDLE_MS = 30_000
/** Memory that a process may keep for the next picture. WebAssembly gives none back. */
const KEPT_BYTES = 320 * 1024 * 1024
/** A new process now and then: what leaks in a library goes with the old one. */
const MOST_PICTURES = 500
/** What a dying process said last. */
const LAST_WORDS = 2_000

interface Process {
  readonly child: ChildProcessWithoutNullStreams
  readonly answers: FrameReader
  /** Rejects when the process has ended. */
  readonly ended: Promise<never>
  /** The document that it holds, as far as its answers say. */
  document?: string | undefined
  /** Resolves when it takes work. */
  readonly ready: Promise<unknown>
  pictures: number
}

export function createDecoder<Request extends FileRequest = DecodeRequest>(options: DecoderOptions): Decoder<Request> {
  const { log, program = PROGRAM, limitMs = LIMIT_MS, startMs = START_MS, idleMs = IDLE_MS } = options
  let current: Process | undefined
  let idle: NodeJS.Timeout | undefined

  function end(): void {
    clearTimeout(idle)
    current?.child.kill('SIGKILL')
    current = undefined
  }

  function begin(): Process {
    clearTimeout(idle)
    if (current !== undefined && current.child.exitCode === null && current.child.signalCode === null) return current
    current = startProcess(program)
    return current
  }

  async function run(job: DecodeJob<Request>): Promise<Uint8Array> {
    const worker = begin()
    await within(startMs, job.signal, (signal) => Promise.race([worker.ready, worker.ended, aborted(signal)]))
    const { answer, picture } = await within(limitMs, job.signal, (signal) =>
      Promise.race([exchange(worker, job, signal), worker.ended, aborted(signal)]),
    )
    worker.pictures++
    worker.document = answer.fault === undefined ? job.document : undefined
    if (answer.memory > KEPT_BYTES || worker.pictures >= MOST_PICTURES) end()
    if (answer.fault !== undefined) throw new PictureFault(answer.fault)
    return picture
  }

  return {
    async decode(job) {
      job.signal.throwIfAborted()
      try {
        const picture = await run(job)
        return picture
      } catch (thrown) {
        // A process that still reads or decodes something would take the next file for the rest of this one.
        const isAnswer = thrown instanceof PictureFault && thrown.cause === undefined
        if (!isAnswer) end()
        if (thrown instanceof PictureFault && !isAnswer) log.warn({ err: thrown.cause }, 'a picture ended its decoder')
        throw thrown
      } finally {
        clearTimeout(idle)
        idle = setTimeout(end, idleMs)
        idle.unref()
      }
    },
    stop: end,
  }
}

async function within<T>(ms: number, given: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(tooSlow(ms)), ms)
  try {
    return await work(AbortSignal.any([given, deadline.signal]))
  } finally {
    clearTimeout(timer)
  }
}

function tooSlow(limitMs: number): PictureFault {
  return new PictureFault('too-large', { cause: new Error(`not done after ${limitMs} ms`) })
}

/** The pipe to a process broke: it is ending, and says why. */
class PipeBroken extends Error {}

async function exchange(worker: Process, job: DecodeJob<FileRequest>, signal: AbortSignal): Promise<Exchanged> {
  try {
    await sendFile(worker, job, signal)
  } catch (thrown) {
    if (thrown instanceof PipeBroken) return worker.ended
    throw thrown
  }
  const { answers, ended } = worker
  const frame = (await nextFrame(answers, MAX_FRAME_BYTES)) ?? (await ended)
  const answer = JSON.parse(new TextDecoder().decode(frame)) as DecodeAnswer
  if (answer.fault !== undefined) return { answer, picture: new Uint8Array() }
  return { answer, picture: (await nextFrame(answers, MAX_OUTPUT_BYTES)) ?? (await ended) }
}

/** A process that a picture took over may answer anything. */
async function nextFrame(answers: FrameReader, maxBytes: number): Promise<Uint8Array | undefined> {
  try {
    return await answers.next(maxBytes)
  } catch (cause) {
    throw new PictureFault('unreadable', { cause })
  }
}

interface Exchanged {
  readonly answer: DecodeAnswer
  readonly picture: Uint8Array
}

async function sendFile(
  { child, document: held }: Process,
  job: DecodeJob<FileRequest>,
  signal: AbortSignal,
): Promise<void> {
  const { signal: _signal, read, ...rest } = job
  const isHeld = job.document !== undefined && job.document === held
  const request: FileRequest = isHeld ? { ...rest, bytes: 0 } : rest
  await write(child, new TextEncoder().encode(JSON.stringify(request)))
  if (isHeld) return write(child, new Uint8Array())
  let left = job.bytes
  for await (const chunk of read(signal)) {
    left -= chunk.length
    if (left < 0) throw new PictureFault('unreadable', { cause: new Error('the file grew') })
    if (chunk.length > 0) await write(child, chunk)
  }
  await write(child, new Uint8Array())
}

/** Resolves when the process has taken the bytes, so that a borrowed chunk may be filled again. */
function write({ stdin }: ChildProcessWithoutNullStreams, frame: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error?: Error | null): void =>
      error == null ? resolve() : reject(new PipeBroken('', { cause: error }))
    stdin.write(frameHead(frame.length))
    stdin.write(frame, done)
  })
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}

const PROGRAM = path.join(import.meta.dirname, 'decoder.child.ts')

/**
 * The system bounds memory and takes the network away, where it can: `$1` is the bound in KiB. Without user namespaces
 * Node's permissions still keep everything but native code from the network. The bound on processor time is for a process
 * whose server was killed.
 */
const CONFINE = [
  'ulimit -c 0; ulimit -t 1800; ulimit -d "$1" 2>/dev/null; shift',
  // When memory runs out this process goes, not the server; and its work waits for that of the server.
  '{ echo 1000 >/proc/self/oom_score_adj; renice -n 5 $$ >/dev/null; } 2>/dev/null',
  'unshare --net true 2>/dev/null && exec unshare --net "$@"',
  'unshare --user --net true 2>/dev/null && exec unshare --user --net "$@"',
  'exec "$@"',
].join('\n')

function startProcess(program: string): Process {
  const command = [process.execPath, ...permissions(program), '--max-old-space-size=256', '--no-warnings', program]
  const shell = [
    '/bin/sh',
    '-c',
    CONFINE,
    'decoder',
    String(Math.floor((RESERVED_BYTES + Math.min(MAX_WORK_BYTES, availableMemory() / 2)) / 1024)),
  ]
  const [file = process.execPath, ...args] = process.platform === 'win32' ? command : [...shell, ...command]
  const child = spawn(file, args, {
    cwd: path.parse(program).root,
    // Nothing of the server's environment, where secrets may be; one thread of the allocator instead of one for each core.
    env: { PATH: '/usr/bin:/bin', MALLOC_ARENA_MAX: '2' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let words = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (words = (words + text).slice(-LAST_WORDS)))
  const ended = new Promise<never>((_resolve, reject) => {
    const fail = (cause: Error): void => reject(new PictureFault('unreadable', { cause }))
    child.once('error', fail)
    child.once('close', (code, signal) => fail(new Error(`ended by ${signal ?? code}: ${words}`)))
  })
  // Whoever waits for an answer is told; nobody may be waiting.
  ended.catch(() => undefined)
  child.stdin.on('error', () => undefined)
  child.unref()
  const answers = new FrameReader(child.stdout)
  // The end of the stream is told by the end of the process, with what it said.
  const ready = nextFrame(answers, MAX_FRAME_BYTES).then((frame) => frame ?? ended)
  ready.catch(() => undefined)
  return { child, ended, ready, answers, pictures: 0 }
}

/** Node's own permissions: to read the program and the packages, and to load native ones. No other file, no network, no process. */
function permissions(program: string): readonly string[] {
  const folders = [path.resolve(import.meta.dirname, '../../..'), path.dirname(program)]
  for (let at = import.meta.dirname; at !== path.dirname(at); at = path.dirname(at)) {
    const packages = path.join(at, 'node_modules')
    if (existsSync(packages)) folders.push(packages)
  }
  return ['--permission', '--allow-addons', ...folders.map((folder) => `--allow-fs-read=${folder}`)]
}
