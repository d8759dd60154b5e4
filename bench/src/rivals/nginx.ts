import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { freePort, launch } from '@godwit/testkit'
import type { TlsSubject } from '../loads/tls.ts'
import { call, inParallel } from '../wire.ts'
import type { Rival } from './rival.types.ts'

/** nginx with its DAV module and sendfile: the fastest plain server, which acknowledges before anything is durable. */
export async function nginx(work: string): Promise<Rival> {
  const folder = path.join(work, 'files')
  fs.mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const server = await start(work, port, configuration(work, folder, `listen 127.0.0.1:${port} backlog=4096`))
  const url = `http://127.0.0.1:${port}`
  const put = async (name: string, size: number): Promise<void> => {
    await call({ method: 'PUT', url: `${url}/${name}`, size })
  }
  return {
    name: 'nginx (DAV, sendfile; not durable)',
    pid: server.pid,
    folder,
    upload: put,
    uploadMany: async (target, count, size) =>
      inParallel(count, 10, async (index) => put(`${target}/f${index}.bin`, size)),
    download: (name) => Promise.resolve({ url: `${url}/${name}`, headers: {} }),
    async list(name) {
      const begun = performance.now()
      const { body } = await call({ method: 'GET', url: `${url}/${name}/` })
      const wholeMs = performance.now() - begun
      return { firstMs: wholeMs, wholeMs, entries: (JSON.parse(body.toString()) as unknown[]).length }
    },
    async [Symbol.asyncDispose]() {
      await server.end('SIGTERM')
    },
  }
}

/** The same with a certificate. */
export async function nginxTls(work: string): Promise<TlsSubject & AsyncDisposable> {
  const folder = path.join(work, 'files')
  fs.mkdirSync(folder, { recursive: true })
  const [key, certificate] = [path.join(work, 'key.pem'), path.join(work, 'certificate.pem')]
  const subject = ['-subj', '/CN=localhost', '-days', '2', '-keyout', key, '-out', certificate]
  await promisify(execFile)('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject])
  const [port, tlsPort] = [await freePort(), await freePort()]
  const listen =
    `listen 127.0.0.1:${port}; listen 127.0.0.1:${tlsPort} ssl; ` +
    `ssl_certificate ${certificate}; ssl_certificate_key ${key}; ssl_protocols TLSv1.2 TLSv1.3`
  const server = await start(work, port, configuration(work, folder, listen))
  return {
    ...{ name: 'nginx (DAV; not durable)', pid: server.pid, folder, headers: {} },
    at: (name) => {
      const url = `https://127.0.0.1:${tlsPort}/${name}`
      return { download: url, upload: url }
    },
    async [Symbol.asyncDispose]() {
      await server.end('SIGTERM')
    },
  }
}

async function start(work: string, port: number, configured: string) {
  const config = path.join(work, 'nginx.conf')
  fs.writeFileSync(config, configured)
  const isReady = async () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
  return launch(['nginx', '-p', work, '-c', config, '-e', path.join(work, 'error.log')], { isReady })
}

function configuration(work: string, folder: string, listen: string): string {
  return `daemon off; pid ${work}/nginx.pid; worker_processes 1; ${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 8192; }
http { access_log off; sendfile on; client_max_body_size 0; client_body_temp_path ${work}/body; client_body_buffer_size 1m;
proxy_temp_path ${work}/p; fastcgi_temp_path ${work}/f; uwsgi_temp_path ${work}/u; scgi_temp_path ${work}/s;
server { ${listen}; root ${folder}; dav_methods PUT DELETE; create_full_put_path on;
autoindex on; autoindex_format json; } }
`
}
