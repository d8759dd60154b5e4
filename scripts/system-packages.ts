import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter } from 'node:path'

/**
 * What the tests and benches need from the operating system, and how it gets there.
 * Run alone: `node scripts/system-packages.ts [test|bench|package]`.
 */

const PURPOSES = ['test', 'bench', 'package'] as const
type Purpose = (typeof PURPOSES)[number]

interface SystemPackage {
  /** Name in Debian and Ubuntu. */
  readonly name: string
  /** A command line that succeeds only where the package works. */
  readonly proof: readonly [string, ...string[]]
  readonly purpose: Purpose
}

/** The bench list adds to the test list; packaging needs its own alone. */
const PACKAGES: readonly SystemPackage[] = [
  { name: 'chromium', proof: ['chromium', '--version'], purpose: 'test' },
  { name: 'chromium-headless-shell', proof: ['chromium-headless-shell', '--version'], purpose: 'test' },
  { name: 'fonts-noto-cjk', proof: ['sh', '-c', 'fc-list :lang=zh-cn | grep -q .'], purpose: 'test' },
  { name: 'mariadb-server', proof: ['mariadbd', '--version'], purpose: 'test' },
  { name: 'redis-server', proof: ['redis-server', '--version'], purpose: 'test' },
  { name: 'ceph-mon', proof: ['ceph-mon', '--version'], purpose: 'test' },
  { name: 'ceph-osd', proof: ['ceph-osd', '--version'], purpose: 'test' },
  { name: 'ceph-mgr', proof: ['ceph-mgr', '--version'], purpose: 'test' },
  { name: 'radosgw', proof: ['radosgw', '--version'], purpose: 'test' },
  { name: 'cadaver', proof: ['sh', '-c', 'command -v cadaver'], purpose: 'test' },
  { name: 'curl', proof: ['curl', '--version'], purpose: 'test' },
  { name: 'dbus', proof: ['dbus-daemon', '--version'], purpose: 'test' },
  { name: 'davfs2', proof: ['sh', '-c', 'command -v mount.davfs'], purpose: 'test' },
  { name: 'e2fsprogs', proof: ['mkfs.ext4', '-V'], purpose: 'test' },
  { name: 'ffmpeg', proof: ['ffmpeg', '-version'], purpose: 'test' },
  { name: 'litmus', proof: ['sh', '-c', 'command -v litmus'], purpose: 'test' },
  { name: 'iproute2', proof: ['ip', '-V'], purpose: 'test' },
  { name: 'nftables', proof: ['nft', '--version'], purpose: 'test' },
  { name: 'mandoc', proof: ['sh', '-c', 'command -v mandoc'], purpose: 'test' },
  { name: 'openssl', proof: ['openssl', 'version'], purpose: 'test' },
  { name: 'libpam-wrapper', proof: ['sh', '-c', 'ls /usr/lib/*/pam_wrapper/pam_matrix.so'], purpose: 'test' },
  { name: 'slapd', proof: ['slapd', '-VV'], purpose: 'test' },
  { name: 'ldap-utils', proof: ['ldapwhoami', '-VV'], purpose: 'test' },
  { name: 'python3-gi', proof: ['/usr/bin/python3', '-c', 'import gi'], purpose: 'test' },
  { name: 'systemd', proof: ['systemd-inhibit', '--version'], purpose: 'test' },
  { name: 'python3-aiosmtpd', proof: ['/usr/bin/python3', '-m', 'aiosmtpd', '--version'], purpose: 'test' },
  { name: 'xfsprogs', proof: ['mkfs.xfs', '-V'], purpose: 'test' },
  { name: 'pebble', proof: ['sh', '-c', 'command -v pebble && command -v pebble-challtestsrv'], purpose: 'test' },
  { name: 'rclone', proof: ['rclone', 'version'], purpose: 'test' },
  { name: 'strace', proof: ['strace', '-V'], purpose: 'test' },
  { name: 'unzip', proof: ['unzip', '-v'], purpose: 'test' },
  { name: 'xvfb', proof: ['sh', '-c', 'command -v Xvfb'], purpose: 'test' },
  { name: 'openbox', proof: ['openbox', '--version'], purpose: 'test' },
  { name: 'xdotool', proof: ['sh', '-c', 'command -v xdotool'], purpose: 'test' },
  { name: 'xdg-utils', proof: ['xdg-open', '--version'], purpose: 'test' },
  { name: 'dpkg', proof: ['dpkg-deb', '--version'], purpose: 'package' },
  { name: 'rpm', proof: ['rpmbuild', '--version'], purpose: 'package' },
  { name: 'nsis', proof: ['makensis', '-VERSION'], purpose: 'package' },
  { name: 'xorriso', proof: ['xorriso', '-version'], purpose: 'package' },
  { name: 'p7zip-full', proof: ['sh', '-c', 'command -v 7z'], purpose: 'package' },
  { name: 'caddy', proof: ['caddy', 'version'], purpose: 'test' },
  { name: 'haproxy', proof: ['haproxy', '-v'], purpose: 'test' },
  { name: 'nginx-light', proof: ['nginx', '-v'], purpose: 'test' },
  { name: 'wrk', proof: ['sh', '-c', 'command -v wrk'], purpose: 'bench' },
  { name: 'rsync', proof: ['rsync', '--version'], purpose: 'bench' },
  { name: 'iperf3', proof: ['iperf3', '--version'], purpose: 'bench' },
  { name: 'uftp', proof: ['sh', '-c', 'command -v uftp'], purpose: 'bench' },
  { name: 'ngtcp2-client', proof: ['sh', '-c', 'command -v gtlsclient'], purpose: 'bench' },
  { name: 'ngtcp2-server', proof: ['sh', '-c', 'command -v gtlsserver'], purpose: 'bench' },
  { name: 'gcc', proof: ['gcc', '--version'], purpose: 'test' },
  { name: 'g++', proof: ['g++', '--version'], purpose: 'bench' },
  { name: 'libudt-dev', proof: ['sh', '-c', 'test -f /usr/include/udt/udt.h'], purpose: 'bench' },
]

/**
 * Installs what is missing when this account may; each package is proven by its command, not by its name.
 * @returns nothing when everything works, else one line for a person: what to install
 */
export async function requireSystemPackages(purpose: Purpose): Promise<string | undefined> {
  const isWanted = (of: Purpose): boolean => of === purpose || (of === 'test' && purpose === 'bench')
  const wanted = PACKAGES.filter((entry) => isWanted(entry.purpose))
  const missing = await unproven(wanted)
  if (missing.length === 0) return undefined
  const privilege = await becomingRoot()
  if (privilege !== undefined) await install(privilege, missing)
  const lacking = privilege === undefined ? missing : await unproven(missing)
  if (lacking.length === 0) return undefined
  const names = lacking.map(({ name }) => name).join(' ')
  return `Missing system packages. Run this, then try again: sudo apt-get install -y ${names}`
}

async function unproven(packages: readonly SystemPackage[]): Promise<readonly SystemPackage[]> {
  const works = await Promise.all(packages.map(({ proof }) => succeeds(proof)))
  return packages.filter((_entry, at) => works[at] !== true)
}

/** The words before `apt-get` that make it run as root, or nothing when this account may not or the system has no apt. */
async function becomingRoot(): Promise<readonly string[] | undefined> {
  if (!existsSync('/usr/bin/apt-get')) return undefined
  if (process.getuid?.() === 0) return []
  return (await succeeds(['sudo', '-n', 'true'])) ? ['sudo', '-n'] : undefined
}

async function install(privilege: readonly string[], packages: readonly SystemPackage[]): Promise<void> {
  const names = packages.map(({ name }) => name)
  console.log(`installing ${names.join(' ')}`)
  // RUNLEVEL=1 keeps the packages' own services from starting: the tests start what they need, on ports of their own.
  const apt = [...privilege, 'env', 'DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1', 'apt-get', '-q', '-y']
  const patient = ['-o', 'DPkg::Lock::Timeout=300']
  await succeeds([...apt, ...patient, 'update'])
  await succeeds([...apt, ...patient, 'install', '--no-install-recommends', ...names])
}

function succeeds(argv: readonly string[]): Promise<boolean> {
  const [program = '', ...args] = argv
  const PATH = [process.env['PATH'] ?? '', '/usr/local/sbin', '/usr/sbin', '/sbin'].join(delimiter)
  return new Promise((done) => {
    const options = { env: { ...process.env, PATH }, maxBuffer: 2 ** 26 }
    const child = execFile(program, args, options, (error) => done(error === null))
    child.stdin?.end()
  })
}

if (import.meta.main) {
  const purpose = PURPOSES.find((known) => known === process.argv[2]) ?? 'test'
  const lacking = await requireSystemPackages(purpose)
  if (lacking !== undefined) {
    console.error(lacking)
    process.exitCode = 1
  }
}
