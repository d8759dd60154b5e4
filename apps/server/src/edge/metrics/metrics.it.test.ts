import fs from 'node:fs'
import { metricsRoutes } from '@godwit/contract'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administer } from '../../security/testing/administrators.ts'
import { openSite, type Site } from '../../security/testing/sites.ts'
import { lintMetrics, parseMetrics } from './testing/exposition.ts'

/** What the alerts and the dashboard that come with the program ask for. */
function queriesOfOperators(): string[] {
  const read = (file: string) => fs.readFileSync(new URL(`../../../../../deploy/${file}`, import.meta.url), 'utf8')
  const alerts = [...read('prometheus/alerts.yml').matchAll(/^ {8}expr: (.+)$/gm)].map(([, expr = '']) => expr)
  const { panels } = JSON.parse(read('grafana/godwit.json')) as {
    readonly panels: ReadonlyArray<{ readonly targets: ReadonlyArray<{ readonly expr: string }> }>
  }
  const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  expect(Math.min(alerts.length, shown.length)).toBeGreaterThan(5)
  return [...alerts, ...shown]
}

describe('figures for Prometheus', () => {
  let site: Site
  let admin = ''
  let deputy = ''
  beforeAll(async () => {
    site = await openSite({ databaseUrl: await mariadbUrl() })
    admin = (await site.signIn('admin')).token
    await site.addUser('deputy')
    await administer(site, 'deputy', ['statistics.view', 'server.control'])
    deputy = (await site.signIn('deputy')).token
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  const scrape = (token?: string, method = 'GET') =>
    site.ask({ method, path: '/metrics', ...(token === undefined ? {} : { token }) })
  const change = (path: string, token = admin) =>
    site.ask({ method: 'POST', path: `/api/admin/metrics/${path}`, token })
  const info = async () =>
    metricsRoutes.token.reply.parse((await site.ask({ path: '/api/admin/metrics/token', token: admin })).data)

  it('is off until somebody who may makes its token, and hears nobody else', async () => {
    expect(await info()).toEqual({ isSet: false, createdAt: null, createdBy: '' })
    for (const token of [undefined, admin, `gdm_${'0'.repeat(43)}`]) expect((await scrape(token)).status).toBe(400)
    expect((await change('token', deputy)).code).toBe(1008)
    const made = metricsRoutes.createToken.reply.parse((await change('token')).data)
    expect(made.token).toMatch(/^gdm_[\w-]{43}$/)
    expect(await info()).toMatchObject({ isSet: true, createdBy: 'admin' })
    expect(JSON.stringify(await info())).not.toContain(made.token)
    expect((await scrape(made.token)).status).toBe(200)
    const { text } = await scrape(made.token, 'HEAD')
    expect(text).toBe('')
    // The token reads figures and nothing else.
    expect((await site.ask({ path: '/api/user/info', token: made.token })).status).toBe(400)

    const next = metricsRoutes.createToken.reply.parse((await change('token')).data)
    expect((await scrape(made.token)).status).toBe(400)
    expect((await scrape(next.token)).status).toBe(200)
    expect((await change('token/remove')).code).toBe(200)
    expect((await scrape(next.token)).status).toBe(400)
    await site.withDatabase(async ({ db }) => {
      const changes = db.selectFrom('operation_log').selectAll().where('operation', 'like', 'metrics.%')
      const log = await changes.orderBy('seq').execute()
      expect(log.map(({ operation }) => operation)).toEqual(['metrics.token', 'metrics.token', 'metrics.off'])
      expect(JSON.stringify(log)).not.toContain(next.token)
    })
  })

  it('reports the process, requests, bytes, jobs, events, the pool and storages, by the rules of the format', async () => {
    await site.upload(admin, 'measured.bin', Buffer.alloc(70_000, 1))
    const path = '/api/files/content?path=%2Fmeasured.bin'
    expect((await site.ask({ path, token: admin })).status).toBe(200)
    expect((await site.ask({ path: '/nothing/here/at-all', token: admin })).status).toBe(404)
    const { token } = metricsRoutes.createToken.reply.parse((await change('token')).data)
    const answer = await scrape(token)
    expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(lintMetrics(answer.text)).toEqual([])
    const samples = parseMetrics(answer.text)
    const value = (name: string, labels: Readonly<Record<string, string>> = {}) =>
      samples
        .filter((sample) => sample.name === name)
        .filter((sample) => Object.entries(labels).every(([label, is]) => sample.labels[label] === is))
        .reduce((sum, sample) => sum + sample.value, 0)
    expect(value('process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(0)
    expect(value('godwit_build_info')).toBe(1)
    expect(value('godwit_upload_bytes_total')).toBe(70_000)
    expect(value('godwit_download_bytes_total')).toBe(70_000)
    expect(value('http_requests_total', { route: '/api/files/content', method: 'GET', status: '200' })).toBe(1)
    expect(value('http_requests_total', { route: '/api/admin/metrics/token', status: '400' })).toBe(1)
    expect(value('http_request_duration_seconds_count', { route: '/api/files/content' })).toBe(1)
    expect(value('http_open_connections')).toBeGreaterThan(0)
    expect(value('godwit_db_pool_limit')).toBeGreaterThan(0)
    expect(value('godwit_storage_up', { storage: 'Local' })).toBe(1)
    expect(value('godwit_storage_size_bytes')).toBeGreaterThan(value('godwit_storage_free_bytes'))
    for (const name of ['godwit_jobs', 'godwit_events_behind', 'godwit_events_parked'])
      expect(samples.some((sample) => sample.name === name)).toBe(true)
    const documented = fs.readFileSync(new URL('../../../../../docs/metrics.md', import.meta.url), 'utf8')
    const names = new Set(samples.map(({ name }) => name.replace(/_(?:bucket|sum|count)$/, '')))
    for (const [name] of documented.matchAll(/\b(?:godwit|http)_[a-z_]+\b/g)) expect(names).toContain(name)
    for (const query of queriesOfOperators())
      for (const [name] of query.matchAll(/\b(?:godwit|http|process|nodejs)_[a-z0-9_]+\b/g))
        expect(names, query).toContain(name.replace(/_(?:bucket|sum|count)$/, ''))
    // Labels are bounded by the routes that there are: neither a path nor a name that somebody asked for is among them.
    expect(answer.text).not.toContain('at-all')
    expect(answer.text).not.toContain('measured')
  })
})
