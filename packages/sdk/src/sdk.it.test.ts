import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LEAF_BYTES, MiB, treeRoot } from '@godwit/base'
import { encodePassword, FULL_PERMISSION } from '@godwit/contract'
import { adminGroups } from '@godwit/contract/table/admin-groups'
import { security } from '@godwit/contract/table/security'
import { type Godwit as Server, launchGodwit, run } from '@godwit/testkit'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blake3, nodesOf, TreeHasher } from './hashes.ts'
import { ApiError, connect, type Godwit, signIn, type Tokens } from './index.ts'
import { downloadFile, uploadFile } from './node.ts'
import { durableBytes } from './testing/durable-bytes.ts'

const bytesOf = (name: string, size: number): Buffer<ArrayBuffer> =>
  createHash('shake256', { outputLength: size }).update(name).digest()
const refusal = (name: string): unknown => expect.objectContaining({ name })

async function bytesIn(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(stream))
}

describe('the tree hash of bytes that come in pieces', () => {
  it('does not depend on the pieces', async () => {
    const hash = await blake3()
    const sizes = fc.integer({ min: 0, max: 3 * LEAF_BYTES + 1 })
    const cuts = fc.array(fc.nat(), { maxLength: 6 })
    fc.assert(
      fc.property(
        fc.constantFrom(0, 1, LEAF_BYTES, 2 * LEAF_BYTES).chain((edge) => fc.oneof(fc.constant(edge), sizes)),
        cuts,
        (size, at) => {
          const bytes = bytesOf('tree', size)
          const hasher = new TreeHasher(hash)
          const ends = [...at.map((cut) => cut % (size + 1)).toSorted((a, b) => a - b), size]
          ends.forEach((end, index) => hasher.update(bytes.subarray(ends[index - 1] ?? 0, end)))
          expect(hasher.root()).toBe(treeRoot(hash, size, nodesOf(hash, bytes, 0)))
        },
      ),
      { numRuns: 25 },
    )
  })
})

describe('the SDK against a server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-sdk-'))
  let server: Server
  let godwit: Godwit

  beforeAll(async () => {
    server = await launchGodwit({ data: join(folder, 'data') })
    godwit = await signIn({ server: server.url, ...server.administrator })
  })
  afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Ends the server, which must have kept what it had acknowledged, and starts it again on the same data and port. */
  async function restart(acknowledged = 0, signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    await server.end(signal)
    expect(durableBytes(server.data)).toBeGreaterThanOrEqual(acknowledged)
    server = await launchGodwit({ data: server.data, port: Number(new URL(server.url).port) })
  }

  it('sends and fetches files of every edge, and lists them', async () => {
    await godwit.makeFolder('/edges')
    const sizes = [0, 1, LEAF_BYTES - 1, LEAF_BYTES, LEAF_BYTES + 1, 17 * MiB + 3]
    for (const size of sizes) {
      const bytes = bytesOf(`edge ${size}`, size)
      const sent = await godwit.upload(new Blob([bytes]), `/edges/${size}.bin`)
      expect(sent).toMatchObject({ state: 'completed', path: `/edges/${size}.bin`, size })
      const got = await godwit.download(sent.path)
      expect(got.size).toBe(size)
      expect((await bytesIn(got.stream)).equals(bytes), String(size)).toBe(true)
    }
    const listed = await Array.fromAsync(godwit.list('/edges'), ({ size }) => size)
    expect(listed.toSorted((a, b) => a - b)).toEqual(sizes)
    // A folder comes as a zip.
    const zip = await godwit.download('/edges')
    expect((await bytesIn(zip.stream)).subarray(0, 2).toString()).toBe('PK')
  })

  it('goes on with an upload and a download over a server that is killed in the middle', async () => {
    const bytes = bytesOf('killed', 48 * MiB)
    let killed: Promise<void> | undefined
    const sent = await godwit.upload(new Blob([bytes]), '/killed.bin', {
      parallel: 1,
      onProgress: ({ bytesDone }) => {
        if (bytesDone > 0) killed ??= restart(bytesDone)
      },
    })
    expect(killed).toBeDefined()
    await killed
    expect(sent).toMatchObject({ state: 'completed', size: bytes.length })

    const { stream } = await godwit.download('/killed.bin')
    const pieces: Uint8Array[] = []
    for await (const piece of stream) {
      if (pieces.length === 0) await restart()
      pieces.push(piece)
    }
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
  })

  it('loses none of twenty uploads to a restart of the server in their middle', async () => {
    const bytes = bytesOf('restarted', 24 * MiB)
    let restarted: Promise<void> | undefined
    const sent = await Promise.all(
      Array.from({ length: 20 }, async (_, at) =>
        godwit.upload(new Blob([bytes]), `/restarted-${at}.bin`, {
          parallel: 1,
          onProgress: ({ bytesDone }) => {
            if (bytesDone > 0) restarted ??= restart(bytesDone, 'SIGTERM')
          },
        }),
      ),
    )
    await restarted
    const hash = await blake3()
    const root = treeRoot(hash, bytes.length, nodesOf(hash, bytes, 0))
    expect(new Set(sent.map(({ state, hash }) => `${state} ${hash}`))).toEqual(new Set([`completed ${root}`]))
  })

  it('goes on with what a call that was ended has sent', async () => {
    const file = join(folder, 'large.bin')
    writeFileSync(file, bytesOf('ended', 40 * MiB))
    const stop = new AbortController()
    const ended = uploadFile(godwit, file, '/ended.bin', {
      parallel: 1,
      signal: stop.signal,
      onProgress: ({ bytesDone }) => bytesDone > 0 && stop.abort(new Error('enough')),
    })
    await expect(ended).rejects.toThrow('enough')
    const first: number[] = []
    await uploadFile(godwit, file, '/ended.bin', { onProgress: ({ bytesDone }) => void first.push(bytesDone) })
    expect(first[0]).toBeGreaterThanOrEqual(16 * MiB)

    const target = join(folder, 'got/large.bin')
    const stopToo = new AbortController()
    const { etag, stream } = await godwit.download('/ended.bin', { signal: stopToo.signal })
    const reader = stream.getReader()
    const piece = await reader.read()
    stopToo.abort(new Error('enough'))
    await expect(Array.fromAsync({ [Symbol.asyncIterator]: () => ({ next: () => reader.read() }) })).rejects.toThrow(
      'enough',
    )
    const from = { offset: piece.value?.length ?? 0, etag }
    const rest = await bytesIn((await godwit.download('/ended.bin', { from })).stream)
    expect(rest.equals(readFileSync(file).subarray(from.offset))).toBe(true)
    // A version that is no longer there is not mixed with the one that is.
    const other = { offset: 10, etag: '"another"' }
    await expect(godwit.download('/ended.bin', { from: other })).rejects.toEqual(refusal('FILE_CHANGED'))

    expect(await downloadFile(godwit, '/ended.bin', target)).toMatchObject({ size: 40 * MiB, isVerified: true })
    expect(readFileSync(target).equals(readFileSync(file))).toBe(true)
    expect(readdirSync(join(folder, 'got'))).toEqual(['large.bin'])
  })

  it('finds a part on the disk that is not what the server has', async () => {
    await godwit.upload(new Blob([bytesOf('part', 3 * MiB)]), '/part.bin')
    const { etag, stream } = await godwit.download('/part.bin')
    await stream.cancel()
    const part = join(folder, `.part.bin.${etag.replaceAll(/[^A-Za-z0-9]+/g, '').slice(0, 64)}.part`)
    const target = join(folder, 'part.bin')
    writeFileSync(part, bytesOf('other', MiB))
    await expect(downloadFile(godwit, '/part.bin', target)).rejects.toEqual(refusal('UPLOAD_HASH_MISMATCH'))
    // The next call begins anew, and one that finds half of it goes on.
    writeFileSync(part, bytesOf('part', 3 * MiB))
    truncateSync(part, MiB + 5)
    expect(await downloadFile(godwit, '/part.bin', target)).toMatchObject({ isVerified: true })
    expect(readFileSync(target).equals(bytesOf('part', 3 * MiB))).toBe(true)
  })

  it('renews a token that counts no more, once for all calls, and says when nothing renews it', async () => {
    const kept: Tokens[] = []
    const { refreshToken } = (await signIn({ server: server.url, ...server.administrator })).tokens
    const tokens = { token: 'x'.repeat(43), refreshToken }
    const late = connect({ server: server.url, ...tokens, onTokens: (next) => kept.push(next) })
    const accounts = await Promise.all(Array.from({ length: 5 }, () => late.account()))
    expect(accounts.map(({ account }) => account)).toEqual(Array(5).fill('admin'))
    expect(kept).toEqual([late.tokens])
    await late.signOut()
    await expect(late.account()).rejects.toEqual(refusal('TOKEN_INVALID'))
    const stranger = connect({ server: server.url, token: `gwt_${'x'.repeat(43)}` })
    await expect(stranger.upload(new Blob(['a']), '/a')).rejects.toEqual(refusal('TOKEN_INVALID'))
  })

  it('works with an API token, and revokes it', async () => {
    const password = encodePassword(server.administrator.password)
    const body = { name: 'sdk', permission: FULL_PERMISSION, days: 1, password }
    const { token } = await godwit.api.call(security.createApiToken, { body })
    const program = connect({ server: server.url, token })
    await program.upload(new Blob(['by a program']), '/program.txt')
    expect((await bytesIn((await program.download('/program.txt')).stream)).toString()).toBe('by a program')
    await program.signOut()
    await expect(program.account()).rejects.toEqual(refusal('TOKEN_INVALID'))
  })

  it('names a quota that is full, a name that is taken, and what is no input', async () => {
    const { group } = await godwit.api.call(adminGroups.add, { body: { name: 'Small', quotaBytes: 2 * MiB } })
    const { id: groupId } = group
    const { id } = await godwit.account()
    await godwit.api.call(adminGroups.setMembers, {
      params: { groupId },
      body: { userIds: [id], permission: FULL_PERMISSION },
    })
    const two = new Blob([bytesOf('quota', 2 * MiB)])
    await godwit.upload(two, '/fits.bin', { groupId })
    await expect(godwit.upload(new Blob(['x']), '/more.bin', { groupId })).rejects.toEqual(refusal('QUOTA_EXCEEDED'))

    await expect(godwit.upload(two, '/fits.bin', { groupId })).rejects.toBeInstanceOf(ApiError)
    expect(await godwit.upload(two, '/taken.bin')).toMatchObject({ state: 'completed' })
    await expect(godwit.upload(two, '/taken.bin')).rejects.toEqual(refusal('PATH_EXISTS'))
    expect((await godwit.upload(two, '/taken.bin', { conflict: 'keep-both' })).path).toBe('/taken (1).bin')

    for (const path of ['', 'no-slash', '/folder/'])
      await expect(godwit.upload(two, path)).rejects.toEqual(refusal('NAME_INVALID'))
    await expect(godwit.upload(two, '/nowhere/a.bin')).rejects.toEqual(refusal('PATH_NOT_FOUND'))
    await expect(godwit.download('/nowhere.bin')).rejects.toEqual(refusal('PATH_NOT_FOUND'))
    await expect(downloadFile(godwit, '/edges', join(folder, 'edges'))).rejects.toEqual(refusal('PATH_IS_FOLDER'))
    await expect(godwit.account(-1.5)).rejects.toEqual(refusal('PARAMETER_INVALID'))
    // @ts-expect-error a policy that does not exist does not compile, and the server refuses it
    await expect(godwit.upload(two, '/b.bin', { conflict: 'never' })).rejects.toEqual(refusal('PARAMETER_INVALID'))
    const nobody = { account: 'nobody', password: 'Wrong-password-1' }
    await expect(signIn({ server: server.url, ...nobody })).rejects.toEqual(refusal('PASSWORD_WRONG'))
    const away = connect({ server: 'http://127.0.0.1:1', token: 'x' })
    await expect(away.account()).rejects.toEqual(refusal('SERVER_UNAVAILABLE'))
  })

  it('runs the examples of docs/sdk.md', async () => {
    const text = readFileSync(join(import.meta.dirname, '../../../docs/sdk.md'), 'utf8')
    const examples = Array.from(text.matchAll(/```ts\n(.*?)```/gs), ([, code = '']) => code).join('\n')
    // Outside of the workspace the packages have no name.
    const source = examples
      .replaceAll("'@godwit/sdk'", JSON.stringify(import.meta.resolve('./index.ts')))
      .replaceAll("'@godwit/sdk/node'", JSON.stringify(import.meta.resolve('./node.ts')))
    writeFileSync(join(folder, 'examples.ts'), source)
    writeFileSync(join(folder, 'report.pdf'), bytesOf('report', MiB))
    const { account, password } = server.administrator
    const env = { GODWIT_SERVER: server.url, GODWIT_ACCOUNT: account, GODWIT_PASSWORD: password }
    const printed = await run([process.execPath, join(folder, 'examples.ts')], { cwd: folder, env })
    expect(printed).toContain('File report.pdf 1048576')
    expect(printed).toContain('PATH_NOT_FOUND')
    expect(readFileSync(join(folder, 'copy.pdf')).equals(bytesOf('report', MiB))).toBe(true)
  })

  it('makes links, and lists and controls transfers', async () => {
    await godwit.upload(new Blob(['shared']), '/shared.txt')
    const { address, linkId } = await godwit.links.share('/shared.txt', { description: 'from the SDK' })
    expect(address).toContain(linkId)
    await godwit.links.cancel(address)
    await expect(godwit.links.share('/gone.txt')).rejects.toEqual(refusal('PATH_NOT_FOUND'))
    await godwit.makeFolder('/inbox')
    expect((await godwit.links.invite('/inbox')).linkId).not.toBe(linkId)

    const { transfer } = await godwit.transfers.uploadTicket({ folder: '/', name: 'by ticket' })
    expect(await godwit.transfers.limit(transfer.transferId, 20)).toMatchObject({ rateMbps: 20 })
    const deadline = Date.now() + 3_600_000
    const changed = await godwit.transfers.change(transfer.transferId, { priority: 'high', deadline })
    expect(changed).toMatchObject({ rateMbps: 20, priority: 'high', deadline, lateMs: 0 })
    const past = godwit.transfers.change(transfer.transferId, { deadline: 1 })
    await expect(past).rejects.toEqual(refusal('TRANSFER_DEADLINE_PAST'))
    expect(await godwit.transfers.change(transfer.transferId, { deadline: null })).toMatchObject({ deadline: null })
    expect(await godwit.transfers.pause(transfer.transferId)).toMatchObject({ name: 'by ticket' })
    await godwit.transfers.resume(transfer.transferId)
    expect(await godwit.transfers.cancel(transfer.transferId)).toMatchObject({ state: 'cancelled' })
    expect((await godwit.transfers.list()).map(({ name }) => name)).toContain('by ticket')
  })
})
