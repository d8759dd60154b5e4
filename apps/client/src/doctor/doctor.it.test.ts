import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ClientSite } from '../testing/client-site.ts'
import { RoutedNetwork } from '../testing/routed-network.ts'

interface Found {
  readonly key: string
  readonly state: string
  readonly values: Readonly<Record<string, string | number>>
}

describe('the doctor on a line that is really broken', () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-doctor-'))
  let network: RoutedNetwork
  let site: ClientSite
  let port = 0

  beforeAll(async () => {
    network = await RoutedNetwork.open()
    site = await ClientSite.open(folder, { env: { GODWIT_HOST: network.serverHost }, computer: network.computer })
    port = Number((await examined()).get('tcp-ok')?.values['port'])
  }, 120_000)
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await network[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  const examined = async (...words: readonly string[]): Promise<Map<string, Found>> => {
    const program = site.client('doctor', ...words)
    await program.exitCode()
    const found = program.events.filter(({ event }) => event === 'finding') as unknown as Found[]
    return new Map(found.map((finding) => [finding.key, finding]))
  }
  const problems = (found: ReadonlyMap<string, Found>) =>
    [...found.values()].filter(({ state }) => state !== 'ok').map(({ key }) => key)

  it('finds nothing on one that is whole, but that it is not encrypted', async () => {
    const found = await examined()
    expect(problems(found)).toEqual(['certificate-none'])
    expect([...found.keys()]).toEqual(expect.arrayContaining(['tcp-ok', 'udp-ok', 'mtu-ok', 'loss-ok', 'clock-ok']))
  })

  it.each([
    ['a firewall that drops UDP', 'udp-blocked', () => network.filter(`udp dport ${port} drop`)],
    ['a lossy line', 'loss-high', () => network.filter(`udp dport ${port} numgen random mod 100 < 5 drop`)],
    ['a tunnel that silently drops large packets', 'mtu-small', () => network.limitPackets(1300)],
    [
      'a closed transfer port',
      'tcp-blocked',
      () => network.filter(`meta l4proto { tcp, udp } th dport ${port} reject`),
    ],
    ['a server out of reach', 'server-unreachable', () => network.filter(`ip daddr ${network.serverHost} reject`)],
  ])('names %s', async (_, key, breakIt) => {
    const undo = await breakIt()
    const found = await examined()
    await undo()
    expect(problems(found).filter((problem) => problem !== 'certificate-none')).toEqual([key])
  })
})
