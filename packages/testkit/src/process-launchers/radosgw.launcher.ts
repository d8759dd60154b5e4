import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GiB } from '@godwit/base'
import { freePort } from './free-port.ts'
import { launch, run, type Program } from './program.ts'

/** An S3 service of the test's own: Ceph with one monitor and one store in memory, and its S3 gateway. Path-style addresses. */
export interface Radosgw {
  readonly endpoint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  stop(): Promise<void>
}

const ACCESS = { accessKeyId: 'godwit-test-key', secretAccessKey: 'godwit-test-secret' }
const CLIENTS = ['client.admin', 'osd.0', 'mgr.x', 'client.rgw.g']

interface Cluster {
  readonly folder: string
  readonly clusterId: string
  readonly monitorPort: number
  readonly gatewayPort: number
  readonly storeBytes: number
}

/**
 * Takes about 14 s on two cores and 600 MB of memory.
 * @param storeBytes room for objects, in memory; deleted ones keep theirs for hours
 */
export async function launchRadosgw(storeBytes = 6 * GiB): Promise<Radosgw> {
  const folder = await mkdtemp(join(tmpdir(), 'godwit-rgw-'))
  const ports = { monitorPort: await freePort(), gatewayPort: await freePort() }
  const cluster = { folder, clusterId: randomUUID(), ...ports, storeBytes }
  const programs: Program[] = []
  const stop = async (): Promise<void> => {
    await Promise.all(programs.map((program) => program.end('SIGKILL')))
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await prepare(cluster)
    for await (const program of bringUp(cluster)) programs.push(program)
    await ceph(cluster, 'radosgw-admin', 'user', 'create', '--uid=godwit', '--display-name=godwit', ...keyOptions())
  } catch (error) {
    await stop()
    throw error
  }
  return { endpoint: `http://127.0.0.1:${cluster.gatewayPort}`, ...ACCESS, stop }
}

function keyOptions(): readonly string[] {
  return [`--access-key=${ACCESS.accessKeyId}`, `--secret-key=${ACCESS.secretAccessKey}`]
}

/** Configuration, keys and the empty monitor. */
async function prepare({ folder, clusterId, monitorPort, ...cluster }: Cluster): Promise<void> {
  for (const part of ['mon', 'osd', 'mgr', 'rgw']) await mkdir(join(folder, part))
  await writeFile(join(folder, 'ceph.conf'), configuration({ folder, clusterId, monitorPort, ...cluster }))
  const map = join(folder, 'monmap')
  const keyring = join(folder, 'keyring')
  await run(['monmaptool', '--create', '--fsid', clusterId, '--addv', 'a', `[v2:127.0.0.1:${monitorPort}]`, map])
  await run(['ceph-authtool', '--create-keyring', keyring, '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *'])
  for (const client of CLIENTS) {
    const rights = ['mon', 'osd', 'mgr'].flatMap((part) => ['--cap', part, 'allow *'])
    await run(['ceph-authtool', keyring, '--gen-key', '-n', client, ...rights])
  }
}

/** Yields every program as soon as it runs, so that a failure of the next one leaves none behind. */
async function* bringUp(cluster: Cluster): AsyncGenerator<Program> {
  const { folder, gatewayPort } = cluster
  const at = ['-c', join(folder, 'ceph.conf')]
  const keyring = join(folder, 'keyring')
  await run(['ceph-mon', ...at, '--mkfs', '-i', 'a', '--monmap', join(folder, 'monmap'), '--keyring', keyring])
  yield launch(['ceph-mon', ...at, '-f', '-i', 'a'], { isReady: () => true })
  const store = randomUUID()
  await ceph(cluster, 'ceph', 'osd', 'new', store, '0')
  await ceph(cluster, 'ceph', 'auth', 'import', '-i', keyring)
  await run(['ceph-osd', ...at, '-i', '0', '--mkfs', '--osd-uuid', store])
  yield launch(['ceph-osd', ...at, '-f', '-i', '0'], { isReady: () => true })
  yield launch(['ceph-mgr', ...at, '-f', '-i', 'x'], { isReady: () => true })
  yield launch(['radosgw', ...at, '-f', '-n', 'client.rgw.g'], {
    isReady: () => serves(gatewayPort),
    timeoutMs: 90_000,
  })
}

function ceph(cluster: Cluster, program: string, ...args: readonly string[]): Promise<string> {
  return run([program, '-c', join(cluster.folder, 'ceph.conf'), ...args])
}

async function serves(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}`)
    return answer.ok
  } catch (error) {
    // fetch reports a refused connection, which is what "not yet" looks like, as TypeError.
    if (error instanceof TypeError) return false
    throw error
  }
}

function configuration({ folder, clusterId, monitorPort, gatewayPort, storeBytes }: Cluster): string {
  return [
    '[global]',
    `fsid = ${clusterId}`,
    `mon_host = [v2:127.0.0.1:${monitorPort}]`,
    'public_addr = 127.0.0.1',
    'cluster_addr = 127.0.0.1',
    'osd_objectstore = memstore',
    `memstore_device_bytes = ${storeBytes}`,
    'osd_pool_default_size = 1',
    'osd_pool_default_min_size = 1',
    'osd_pool_default_pg_num = 2',
    'osd_pool_default_pgp_num = 2',
    'osd_pool_default_pg_autoscale_mode = off',
    'mon_allow_pool_size_one = true',
    'mon_max_pg_per_osd = 1000',
    // A nearly full machine must not stop a store that lives in memory.
    'mon_data_avail_crit = 1',
    'mon_data_avail_warn = 1',
    'osd_crush_chooseleaf_type = 0',
    `rgw_frontends = beast endpoint=127.0.0.1:${gatewayPort} tcp_nodelay=1`,
    `run_dir = ${folder}`,
    `admin_socket = ${folder}/$name.asok`,
    `pid_file = ${folder}/$name.pid`,
    `log_file = ${folder}/$name.log`,
    `keyring = ${folder}/keyring`,
    ...['mon', 'osd', 'mgr', 'rgw'].map((part) => `${part}_data = ${folder}/${part}`),
    '',
  ].join('\n')
}
