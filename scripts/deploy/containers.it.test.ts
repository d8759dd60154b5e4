import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { signIn } from '@godwit/sdk'
import { freePort } from '@godwit/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ROOT } from '../steps.ts'
import { readContainerfile } from './containerfile.ts'

const PASSWORD = 'Longest-flight-7'

let folder: string
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'godwit-container-'))))
afterEach(() => rm(folder, { recursive: true, force: true }))

/**
 * What an engine does with the image: the program at its place and everything else read-only, but for its volume, its secrets and an
 * empty /tmp; its user, without any capability; its variables alone.
 */
function inContainer(words: readonly string[], environment: Readonly<Record<string, string>>): readonly string[] {
  const { user, environment: own } = readContainerfile()
  const [uid, gid] = user.split(':')
  const variables = Object.entries({ ...own, ...environment }).map(([name, value]) => `${name}=${value}`)
  const rights = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs', '--bounding-set=-all']
  const mounts = `set -e
    mount -t tmpfs tmpfs /opt && mkdir /opt/godwit
    for from in "$1"/*; do
      to="/opt/godwit/\${from##*/}"
      if [ -d "$from" ]; then mkdir "$to"; else : > "$to"; fi
      mount --bind "$from" "$to" && mount -o remount,bind,ro "$to"
    done
    mount -t tmpfs tmpfs /var/lib && mkdir /var/lib/godwit && mount --bind "$2/data" /var/lib/godwit
    mkdir /opt/secrets && mount --bind "$2/secrets" /opt/secrets
    mount -t tmpfs -o mode=1777 tmpfs /tmp
    mount -o remount,bind,ro /
    cd /var/lib/godwit
    shift 2
    exec setpriv "$@"`
  const program = ['env', '-i', 'PATH=/opt/godwit/node_modules/.bin:/usr/bin:/bin', ...variables, ...words]
  return ['--mount', 'sh', '-c', mounts, 'sh', ROOT, folder, ...rights, ...program]
}

it('the image serves on a read-only system, without rights, and says whether it is healthy', async () => {
  const { user, entrypoint, command, health } = readContainerfile()
  const port = await freePort()
  await mkdir(join(folder, 'secrets'), { mode: 0o755 })
  await writeFile(join(folder, 'secrets/admin-password'), PASSWORD, { mode: 0o644 })
  await mkdir(join(folder, 'data'))
  const [uid, gid] = user.split(':').map(Number)
  await chown(join(folder, 'data'), uid ?? 0, gid ?? 0)
  const environment = {
    GODWIT_PORT: String(port),
    GODWIT_ADMIN_ACCOUNT: 'admin',
    GODWIT_ADMIN_PASSWORD_FILE: '/opt/secrets/admin-password',
  }
  const isHealthy = () =>
    promisify(execFile)('unshare', inContainer(health, environment)).then(
      () => true,
      () => false,
    )
  const server = spawn('unshare', inContainer([...entrypoint, ...command], environment), { stdio: 'pipe' })
  let output = ''
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (text: Buffer) => void (output += text.toString()))
  try {
    await expect.poll(() => output, { timeout: 60_000 }).toContain('Godwit listens on')
    expect(await isHealthy()).toBe(true)
    const godwit = await signIn({ server: `http://127.0.0.1:${port}`, account: 'admin', password: PASSWORD })
    await godwit.upload(new Blob(['from a container']), '/note.txt')
    const { stream } = await godwit.download('/note.txt')
    expect(await new Response(stream).text()).toBe('from a container')
    expect(await readdir(join(folder, 'data'))).toContain('godwit.db')
  } finally {
    server.kill('SIGTERM')
    const [code] = (await once(server, 'exit')) as [number | null]
    expect([code, output]).toEqual([0, output])
  }
  expect(await isHealthy()).toBe(false)
})
