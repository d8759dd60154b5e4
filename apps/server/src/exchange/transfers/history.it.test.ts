import type { TransferView } from '@godwit/contract'
import { ERRORS } from '@godwit/contract'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, type Answer } from '../../security/testing/wire.ts'
import { TransferSite } from './testing/transfer-site.ts'

const FILES = 1_000

function frame(relativePath: string, content: Buffer): Buffer {
  const header = Buffer.from(JSON.stringify({ relativePath, size: content.length, conflict: 'replace' }))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(header.length)
  return Buffer.concat([length, header, content])
}

const SITES = [
  { name: 'SQLite', open: () => TransferSite.open({}) },
  { name: 'MariaDB', open: async () => TransferSite.open({ GODWIT_DATABASE_URL: await mariadbUrl() }) },
]

for (const { name, open } of SITES) {
  describe(`the history of transfers on ${name}`, () => {
    let site: TransferSite
    beforeAll(async () => {
      site = await open()
    })
    afterAll(async () => site[Symbol.asyncDispose]())

    const list = async (query = '', token = site.token): Promise<readonly TransferView[]> => {
      const { data } = await ask(site.url, { path: `/api/transfers${query}`, token })
      return (data as unknown as { readonly items: readonly TransferView[] }).items
    }
    /** Of an account of its own, so that nothing else is in its list. */
    const account = async (who: string): Promise<string> => site.signInNew(who)
    const until = async (token: string, isIt: (items: readonly TransferView[]) => boolean) => {
      for (;;) {
        const items = await list('', token)
        if (isIt(items)) return items
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
    const isOver = (items: readonly TransferView[]): boolean =>
      items.length > 0 && items.every(({ finishedAt }) => finishedAt > 0)
    const begin = async (token: string, filename: string, size: number, more: object = {}) =>
      (await site.post('uploads', { folder: '/', filename, size, conflict: 'replace', ...more }, token))
        .data as unknown as { readonly uploadId: string; readonly grant: string }
    const put = (uploadId: string, token: string, body: Buffer): Promise<Answer> =>
      ask(site.url, { method: 'PUT', path: `/api/uploads/${uploadId}/parts/0`, token, body })
    const upload = async (token: string, filename: string, body: Buffer, more: object = {}): Promise<Answer> => {
      const { uploadId } = await begin(token, filename, body.length, more)
      await put(uploadId, token, body)
      return site.post(`uploads/${uploadId}/complete`, {}, token)
    }
    const report = (token: string, id: string, body: object): Promise<Answer> =>
      site.post(`transfers/browser/${id}`, { files: 2, bytes: 200, failures: 0, ...body }, token)
    const drop = async (token: string): Promise<TransferView> => {
      const paths = ['/one.bin', '/two.bin']
      const { data } = await site.post(
        'transfers/browser',
        { folder: '/', name: 'one.bin', files: 2, bytes: 200, paths },
        token,
      )
      return data['transfer'] as unknown as TransferView
    }

    it('has what a program uploads in one go as one transfer, with its first five files', async () => {
      const token = await account('program')
      for (let at = 0; at < 7; at++) await upload(token, `file-${at}.bin`, Buffer.alloc(1_000, at))
      const items = await until(token, isOver)
      expect(items).toEqual([
        expect.objectContaining({
          ...{ direction: 'upload', state: 'completed', door: 'http', name: 'file-0.bin', folder: '/', failures: 0 },
          ...{ files: 7, filesDone: 7, bytes: 7_000, bytesDone: 7_000, bytesMoved: 7_000, address: '127.0.0.1' },
          paths: [0, 1, 2, 3, 4].map((at) => `/file-${at}.bin`),
        }),
      ])
      expect(items[0]?.finishedAt).toBeGreaterThanOrEqual(items[0]?.startedAt ?? Infinity)
    })

    it('has a thousand small files as one row', async () => {
      const token = await account('packer')
      const frames = Array.from({ length: FILES }, (_, at) => frame(`many/${at}.txt`, Buffer.from(`text ${at}`)))
      const body = Buffer.concat(frames)
      const { code } = await ask(site.url, { method: 'POST', path: '/api/uploads/pack?folder=/', token, body })
      expect(code).toBe(200)
      const items = await until(token, isOver)
      expect(items).toMatchObject([{ files: FILES, filesDone: FILES, state: 'completed', failures: 0 }])
    })

    it('has a drop of a page as one transfer, from its first report to its last', async () => {
      const token = await account('page')
      const { transferId, state } = await drop(token)
      expect(state).toBe('running')
      await upload(token, 'one.bin', Buffer.alloc(100, 1), { transferId })
      const paused = await report(token, transferId, { state: 'paused' })
      expect(paused.data['transfer']).toMatchObject({ state: 'paused' })
      await report(token, transferId, { state: 'left' })
      expect(await list('', token)).toMatchObject([{ state: 'interrupted' }])
      await report(token, transferId, { state: 'running' })
      await upload(token, 'two.bin', Buffer.alloc(100, 2), { transferId })
      const ended = await report(token, transferId, { state: 'ended' })
      const whole = { state: 'completed', files: 2, filesDone: 2, bytesDone: 200, name: 'one.bin' }
      expect(ended.data['transfer']).toMatchObject(whole)
      expect(await list('', token)).toMatchObject([whole])
    })

    it('says which files of a page failed, and goes on when they are tried again', async () => {
      const token = await account('failing')
      const { transferId } = await drop(token)
      await upload(token, 'one.bin', Buffer.alloc(100, 1), { transferId })
      const failed = [{ path: '/two.bin', code: 'QUOTA_EXCEEDED' }]
      const ended = await report(token, transferId, { state: 'ended', failures: 1, failed })
      expect(ended.data['transfer']).toMatchObject({ state: 'partial', failures: 1, error: 'QUOTA_EXCEEDED' })
      const files = (who: string): Promise<Answer> =>
        ask(site.url, { path: `/api/transfers/${transferId}/files`, token: who })
      expect((await files(token)).data).toEqual({ files: failed })
      expect((await files(site.token)).code).toBe(ERRORS.TRANSFER_NOT_FOUND.wire)
      await report(token, transferId, { state: 'running' })
      await upload(token, 'two.bin', Buffer.alloc(100, 2), { transferId })
      const again = await report(token, transferId, { state: 'ended' })
      expect(again.data['transfer']).toMatchObject({ state: 'completed', failures: 0, filesDone: 2, error: '' })
    })

    it('ends what a cancelled transfer has not finished, and its page cannot bring it back', async () => {
      const token = await account('canceller')
      const { transferId } = await drop(token)
      const { uploadId } = await begin(token, 'one.bin', 100, { transferId })
      expect((await site.post(`transfers/${transferId}/cancel`, {}, token)).data['transfer']).toMatchObject({
        state: 'cancelled',
      })
      expect((await put(uploadId, token, Buffer.alloc(100))).code).toBe(ERRORS.UPLOAD_NOT_FOUND.wire)
      expect((await report(token, transferId, { state: 'running' })).data['transfer']).toMatchObject({
        state: 'cancelled',
      })
      expect((await site.post(`transfers/${transferId}/ticket`, {}, token)).code).toBe(ERRORS.TICKET_INVALID.wire)
    })

    it('is reported by the page that took it over, and by no other', async () => {
      const token = await account('mover')
      const begun = await site.post(
        'transfers/browser',
        { folder: '/', name: 'one.bin', files: 1, bytes: 100, paths: ['/one.bin'], page: 'first' },
        token,
      )
      const { transferId = '' } = begun.data['transfer'] as unknown as { readonly transferId?: string }
      const by = (page: string, more: object = {}) => report(token, transferId, { state: 'running', page, ...more })
      expect((await by('second')).code).toBe(ERRORS.TRANSFER_TAKEN_OVER.wire)
      const taken = await by('second', { takeOver: true })
      expect(taken.data['transfer']).toMatchObject({ holder: 'second', state: 'running' })
      for (const state of ['running', 'paused', 'left', 'ended']) {
        expect((await by('first', { state })).code).toBe(ERRORS.TRANSFER_TAKEN_OVER.wire)
      }
      expect((await by('second', { state: 'left' })).data['transfer']).toMatchObject({ state: 'interrupted' })
      expect((await by('first', { takeOver: true })).data['transfer']).toMatchObject({ holder: 'first' })
    })

    it('counts nothing in a transfer of somebody else, and lets nobody report about it', async () => {
      const [mine, theirs] = [await account('mine'), await account('theirs')]
      const { transferId } = await drop(mine)
      await upload(theirs, 'one.bin', Buffer.alloc(100, 1), { transferId })
      for (const state of ['running', 'ended']) {
        expect((await report(theirs, transferId, { state })).code).toBe(ERRORS.TRANSFER_NOT_FOUND.wire)
      }
      expect((await site.post(`transfers/${transferId}/cancel`, {}, theirs)).code).toBe(ERRORS.TRANSFER_NOT_FOUND.wire)
      // What is written down a second later has been by the time another transfer is.
      await upload(theirs, 'other.bin', Buffer.alloc(10))
      await until(theirs, isOver)
      expect(await list('', mine)).toMatchObject([{ state: 'running', filesDone: 0, bytesMoved: 0 }])
    })

    it('has downloads: a file, the ranges of one, and a zip', async () => {
      const token = await account('reader')
      await upload(token, 'long.bin', Buffer.alloc(5_000, 1))
      await upload(token, 'short.bin', Buffer.alloc(50, 2))
      await until(token, isOver)
      const path = '/api/files/content?path=/long.bin'
      for (const range of ['bytes=0-1999', 'bytes=2000-4999']) {
        expect((await ask(site.url, { path, token, headers: { range, 'sec-fetch-site': 'same-origin' } })).status).toBe(
          206,
        )
      }
      const ticket = await site.post('files/download', { paths: ['/long.bin', '/short.bin'] }, token)
      expect((await ask(site.url, { path: String(ticket.data['url']) })).status).toBe(200)
      const items = await until(token, (all) => all.length === 3 && isOver(all))
      const downloads = items.filter(({ direction }) => direction === 'download')
      const zip = { files: 2, filesDone: 2, bytes: 5_050, bytesDone: 5_050, state: 'completed' }
      const ranges = { files: 1, filesDone: 1, bytes: 5_000, bytesDone: 5_000, state: 'completed', door: 'page' }
      expect(downloads).toMatchObject([zip, ranges])
    })

    it('lists by status, then the newest, in pages; what is cleared stays in the log of the console', async () => {
      const token = await account('lister')
      const { transferId: first } = await drop(token)
      const { transferId: second } = await drop(token)
      const { transferId: third } = await drop(token)
      const { transferId: fourth } = await drop(token)
      await report(token, first, { state: 'ended' })
      await report(token, second, { state: 'ended', failures: 2, failed: [{ path: '/a', code: 'QUOTA_EXCEEDED' }] })
      await report(token, third, { state: 'paused' })
      const ids = async (query = ''): Promise<readonly string[]> =>
        (await list(query, token)).map(({ transferId }) => transferId)
      expect(await ids()).toEqual([fourth, third, second, first])
      const page = await ask(site.url, { path: '/api/transfers?limit=3', token })
      expect(await ids(`?limit=3&after=${String(page.data['next'])}`)).toEqual([first])
      expect(await ids('?group=failed')).toEqual([second])
      expect(await ids('?group=running&direction=download')).toEqual([])
      expect((await ids('?text=ONE')).length).toBe(4)
      expect(await ids('?text=100%25')).toEqual([])
      expect((await site.post('transfers/clear', {}, token)).data).toEqual({ cleared: 2 })
      expect(await ids()).toEqual([fourth, third])
      const { data } = await ask(site.url, {
        path: '/api/admin/transfers?view=past&text=lister',
        token: site.token,
      })
      const rows = data['rows'] as unknown as readonly TransferView[]
      expect(rows.map(({ transferId }) => transferId)).toEqual([second, first])
      expect(rows[0]).toMatchObject({ door: 'page', failures: 2, error: 'QUOTA_EXCEEDED' })
    })
  })
}
