import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { GiB } from '@godwit/base'
import { cpuSeconds } from '../cpu.ts'
import type { Table } from '../figures.ts'
import type { Rival } from '../rivals/rival.types.ts'
import { emptyFolder, writeFile } from './bytes.ts'

const run = promisify(execFile)

/** A server as curl reaches it: by HTTPS, one connection, HTTP/1.1. */
export interface TlsSubject extends Pick<Rival, 'name' | 'pid' | 'folder'> {
  /** Where a file is fetched and put. */
  readonly at: (name: string) => { readonly download: string; readonly upload: string }
  readonly headers: Readonly<Record<string, string>>
}

export interface TlsLoadOptions {
  /** Ours first. */
  readonly subjects: readonly TlsSubject[]
  readonly work: string
  readonly runs: number
}

/** One big body over TLS both ways, by the same client for every subject in turn; certificates are not checked. */
export async function tlsLoad({ subjects, work, runs }: TlsLoadOptions, size = 2 * GiB): Promise<Table[]> {
  const source = path.join(work, 'source.bin')
  writeFile(source, size)
  for (const { folder } of subjects) writeFile(path.join(folder, 'down.bin'), size)
  const meters = subjects.map((subject) => ({ subject, up: newMeter(), down: newMeter() }))
  for (let turn = 0; turn < runs; turn++)
    for (const { subject, up, down } of meters) {
      const { at, folder } = subject
      const { download } = at('down.bin')
      await measure(subject, down, {
        size,
        argv: ['--output', '/dev/null', '--write-out', '%{size_download}', download],
      })
      await measure(subject, up, {
        size,
        argv: ['--write-out', '%{size_upload}', '--upload-file', source, at('up.bin').upload],
      })
      const stored = fs.statSync(path.join(folder, 'up.bin')).size
      if (stored !== size) throw new Error(`${subject.name}: ${stored} of ${size} bytes`)
      fs.rmSync(path.join(folder, 'up.bin'))
    }
  for (const { folder } of subjects) emptyFolder(folder)
  fs.rmSync(source)
  const conditions = `one file of ${size / GiB} GiB over loopback by curl, ${runs} runs`
  return (['up', 'down'] as const).map((way) => ({
    load: way === 'up' ? 'TLS upload' : 'TLS download',
    conditions,
    rows: meters.map(({ subject, ...of }) => ({
      subject: subject.name,
      unit: 'MB/s',
      values: of[way].values,
      cpuPerGiB: of[way].cpu,
    })),
  }))
}

interface Meter {
  readonly values: number[]
  readonly cpu: number[]
}

function newMeter(): Meter {
  return { values: [], cpu: [] }
}

async function measure(
  { name, pid, headers }: TlsSubject,
  { values, cpu }: Meter,
  { size, argv }: { readonly size: number; readonly argv: readonly string[] },
): Promise<void> {
  const given = Object.entries(headers).flatMap(([field, value]) => ['--header', `${field}: ${value}`])
  const before = cpuSeconds(pid)
  const begun = performance.now()
  const { stdout } = await run('curl', ['--silent', '--fail', '--insecure', '--http1.1', ...given, ...argv])
  if (Number(stdout) !== size) throw new Error(`${name}: ${stdout} of ${size} bytes`)
  values.push(size / 1e3 / (performance.now() - begun))
  cpu.push((cpuSeconds(pid) - before) / (size / GiB))
}
