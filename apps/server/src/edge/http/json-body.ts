import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { KiB } from '@godwit/base'
import { AppError } from '../../kernel/errors.ts'
import { GrowingBuffer } from '../../kernel/growing-buffer.ts'
import type { Lease } from '../../kernel/request-memory.ts'
import { CallerGone } from './answers.ts'

/** Values and nested structures that one body may hold: the largest call names 10,000 paths with a few fields each. */
const VALUES_MAX = 200_000
/** A shorter body cannot hold more than it may. */
const UNCHECKED_BYTES = 64 * KiB

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENING_BRACKET = 0x5b
const OPENING_BRACE = 0x7b

export interface BodyLimits {
  readonly maxBytes: number
  readonly lease: Lease
}

/**
 * Reads a JSON body as UTF-8 text, strictly: a lenient reading would turn a broken name into another one.
 * @throws AppError BODY_TOO_LARGE, SERVER_BUSY, CONTENT_TYPE_UNSUPPORTED, PARAMETER_INVALID; CallerGone
 */
export async function readJsonText(req: IncomingMessage, limits: BodyLimits): Promise<string> {
  const coding = req.headers['content-encoding'] ?? 'identity'
  if (coding !== 'identity') throw new AppError('CONTENT_TYPE_UNSUPPORTED', { coding })
  const body = await collect(req, limits)
  try {
    const bytes = body.bytes()
    if (!isUtf8(bytes)) throw new AppError('PARAMETER_INVALID', { field: '', rule: 'Body is not valid UTF-8' })
    requireFewValues(bytes)
    return bytes.toString('utf8')
  } finally {
    body.free()
  }
}

/**
 * Bounds what a text becomes in memory: a million empty objects take a few MiB on the wire and hundreds when parsed.
 * @throws AppError BODY_TOO_LARGE
 */
export function requireFewValues(json: Uint8Array): void {
  if (json.length <= UNCHECKED_BYTES) return
  let values = 0
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTE) at = endOfString(json, at)
    else if (byte === COMMA || byte === OPENING_BRACKET || byte === OPENING_BRACE) values++
    if (values > VALUES_MAX) throw new AppError('BODY_TOO_LARGE', { maxValues: VALUES_MAX })
  }
}

/** @returns index of the closing quote, or the length of a text that lacks it */
function endOfString(json: Uint8Array, opening: number): number {
  for (let at = json.indexOf(QUOTE, opening + 1); at !== -1; at = json.indexOf(QUOTE, at + 1)) {
    let backslashes = 0
    while (json[at - 1 - backslashes] === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return at
  }
  return json.length
}

function collect(req: IncomingMessage, { maxBytes, lease }: BodyLimits): Promise<GrowingBuffer> {
  const announced = Number(req.headers['content-length'] ?? 0)
  if (announced > maxBytes) throw tooLarge(maxBytes)
  const body = new GrowingBuffer(announced, (bytes) => lease.grow(bytes))
  return new Promise((resolve, reject) => {
    const stop = (): void => void req.off('data', keep).off('end', finish).off('error', leave).off('close', leave)
    const finish = (): void => {
      stop()
      resolve(body)
    }
    const fail = (reason: Error): void => {
      stop()
      body.free()
      reject(reason)
    }
    const leave = (): void => fail(new CallerGone())
    const keep = (chunk: Buffer): void => {
      try {
        if (body.length + chunk.length > maxBytes) throw tooLarge(maxBytes)
        body.add(chunk)
      } catch (error) {
        fail(error instanceof Error ? error : new Error('a body was not kept', { cause: error }))
      }
    }
    req.on('data', keep).on('end', finish).on('error', leave).on('close', leave)
    if (req.destroyed) leave()
  })
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('BODY_TOO_LARGE', { maxBytes })
}
