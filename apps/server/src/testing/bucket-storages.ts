import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { secureRandom, systemClock } from '@godwit/base'
import { openBucket, type TemporaryBucket } from '@godwit/storage/testing'
import { s3Access } from '@godwit/testkit/engines'
import { runCli } from '../cli/run.ts'

/**
 * Makes a new bucket of the real S3 service the only storage of an installation that was never started, as an operator
 * would. The caller disposes of `store`.
 * @param environment names the data folder and, where it is not SQLite, the database
 */
export async function keepFilesInBucket(environment: Readonly<Record<string, string>>): Promise<TemporaryBucket> {
  const account = await s3Access()
  const bucket = await openBucket(account)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-secret-'))
  const secret = path.join(folder, 'secret')
  fs.writeFileSync(secret, `${account.secretAccessKey}\n`)
  const place = `--bucket ${bucket.name} --prefix files --endpoint ${account.endpoint} --path-style --no-conditional-writes`
  const key = `--access-key ${account.accessKeyId} --secret-file ${secret}`
  await godwit(environment, `storage add --name Bucket --kind s3-compatible ${place} ${key} --default`)
  await godwit(environment, 'storage remove 1')
  fs.rmSync(folder, { recursive: true })
  return bucket
}

async function godwit(environment: Readonly<Record<string, string>>, words: string): Promise<void> {
  let printed = ''
  const print = (text: string): void => void (printed += text)
  const signal = new AbortController().signal
  const io = { stdout: print, stderr: print, environment, clock: systemClock, random: secureRandom, signal }
  if ((await runCli(words.split(' '), io)) !== 0) throw new Error(printed)
}
