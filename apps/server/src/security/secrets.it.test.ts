import fs from 'node:fs'
import path from 'node:path'
import { encodePassword } from '@godwit/contract'
import { mariadbUrl } from '@godwit/testkit/engines'
import { describe, expect, it } from 'vitest'
import { tableShapes, readRows } from '../kernel/db/index.ts'
import { doors } from './testing/doors.ts'
import { openSite, type Site } from './testing/sites.ts'
import { signedInSocket } from './testing/sockets.ts'

/** Line ends, escapes and marks that forge or hide lines for whoever looks at a log. */
const CONTROLS = [
  '\r\n',
  '\n',
  '\r',
  '\u001b[2J\u001b[1;31m',
  '\u2028',
  '\u2029',
  '\u0085',
  '\u009b31m',
  '\u202e',
  '\u0007',
  '\u0008',
  '\u007f',
]
const FORGED = '{"level":30,"time":1,"msg":"administrator signed in"}'

/** What the server logged: the lines that are no announcement of the start. */
function logLines(site: Site): string[] {
  return site.godwit
    .output()
    .split('\n')
    .filter((line) => line !== '' && !/^(Godwit listens|Create the first|One-time)/.test(line))
}

describe('the log', () => {
  it('has one line an event, whatever people send (T60)', async () => {
    await using site = await openSite({ env: { GODWIT_LOG_LEVEL: 'trace' } })
    const { token } = await site.signIn('admin')
    // Every door then fails inside, and failures are what is logged.
    await breakDatabase(site)
    for (const control of CONTROLS) {
      const text = `x${control}${FORGED}${control}y`
      for (const { question } of doors()) {
        const headers = {
          ...question.headers,
          'accept-language': encodeURIComponent(text),
          'user-agent': Buffer.from(text)
            .toString('latin1')
            .replaceAll(/[\r\n\0\u0007\u0008\u007f\u001b]/g, ' '),
        }
        const json =
          question.json === undefined
            ? {}
            : {
                json: Object.fromEntries(
                  Object.entries(question.json as object).map(([key, value]) => [
                    key,
                    typeof value === 'string' ? text : value,
                  ]),
                ),
              }
        await site.ask({ ...question, ...json, headers, token }).catch(() => undefined)
        await site
          .ask({ ...question, path: `${question.path}${encodeURIComponent(text)}`, token })
          .catch(() => undefined)
      }
    }
    await mendDatabase(site)
    const lines = logLines(site)
    expect(lines.length).toBeGreaterThan(100)
    const wrong = lines.filter(
      (line) =>
        !isEvent(line) || line.startsWith(FORGED) || /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202e]/.test(line),
    )
    expect(wrong).toEqual([])
  })
})

function isEvent(line: string): boolean {
  try {
    const event = JSON.parse(line) as { readonly level?: unknown; readonly time?: unknown }
    return typeof event.level === 'number' && typeof event.time === 'number'
  } catch {
    return false
  }
}

/** With its tables away, every handler that asks the database fails in the middle. */
async function breakDatabase(site: Site): Promise<void> {
  await site.withDatabase(({ db }) => db.schema.alterTable('users').renameTo('users_away').execute())
}

async function mendDatabase(site: Site): Promise<void> {
  await site.withDatabase(({ db }) => db.schema.alterTable('users_away').renameTo('users').execute())
}

describe('secrets', () => {
  it.each(['SQLite', 'MariaDB'])(
    'planted in every place are in no log, answer or table on %s (T62)',
    async (engine) => {
      const secrets: Record<string, string> = {
        administrator: 'Planted-Owner-1x',
        first: 'Planted-First-2x',
        second: 'Planted-Second-3',
        wrong: 'Planted-Wrong-4x',
        authorization: 'Planted-Header-5x',
        environment: 'Planted-Environment-6',
      }
      await using site = await openSite({
        ...(engine === 'MariaDB' ? { databaseUrl: await mariadbUrl() } : {}),
        env: {
          GODWIT_LOG_LEVEL: 'trace',
          GODWIT_ADMIN_PASSWORD: secrets['administrator'] ?? '',
          PLANTED_KEY: secrets['environment'] ?? '',
          AWS_SECRET_ACCESS_KEY: 'Planted-Cloud-7x',
        },
      })
      secrets['cloud'] = 'Planted-Cloud-7x'
      const told: string[] = []
      const admin = await site.signIn('admin', secrets['administrator'])
      const passwordFile = path.join(site.data, 'password')
      fs.writeFileSync(passwordFile, secrets['first'] ?? '')
      await site.cli(`user add --account mei --password-file ${passwordFile}`)
      fs.rmSync(passwordFile)
      const mei = await site.signIn('mei', secrets['first'])
      const ticketed = await site
        .upload(mei.token, 'f', Buffer.from('x'))
        .then(() => site.call(mei.token, 'ticket', { paths: ['/f'] }))
      const begun = await site.ask({
        method: 'POST',
        path: '/api/uploads',
        token: mei.token,
        json: { folder: '/', filename: 'g', size: 4 },
      })
      Object.assign(secrets, {
        adminToken: admin.token,
        adminRefresh: admin.refresh,
        token: mei.token,
        refresh: mei.refresh,
        ticket: String(ticketed.data['ticket']),
        grant: String(begun.data['grant']),
      })
      await site.ask({ path: `/api/files/content?ticket=${secrets['ticket']}` })
      const socket = await signedInSocket(site.url, mei.token)
      told.push(JSON.stringify(await socket.ask({ type: 'login', token: mei.token, spaceId: 1 })))
      const everyDoor = async (): Promise<void> => {
        for (const token of [admin.token, mei.token, secrets['authorization'], secrets['grant']]) {
          for (const { name, question } of doors()) {
            // Neither of these leaves a server to ask.
            if (/^auth\.logout|^serverControl\.(?:restart|shutdown)$/.test(name)) continue
            const { text, headers } = await site.ask({ ...question, token })
            const answer = JSON.stringify([text, headers])
            // Whoever administers storages, backups, the database and the server sees where they are; nobody else learns a path of it.
            const mayKnowPaths =
              token === admin.token &&
              [
                ...['adminStorages.list', 'backups.list', 'database.view'],
                ...['serverControl.doctor', 'serverControl.config'],
              ].includes(name)
            told.push(mayKnowPaths ? answer.replaceAll(site.data, '') : answer)
          }
        }
      }
      await everyDoor()
      const change = {
        oldPassword: encodePassword(secrets['first'] ?? ''),
        newPassword: encodePassword(secrets['second'] ?? ''),
      }
      told.push(
        (
          await site.ask({
            method: 'POST',
            path: '/api/user/login',
            json: { account: 'mei', password: encodePassword(secrets['wrong'] ?? '') },
          })
        ).text,
      )
      told.push(
        (await site.ask({ method: 'PUT', path: '/api/user/password/update', token: mei.token, json: change })).text,
      )
      await site.withDatabase(({ db }) => db.schema.alterTable('sessions').renameTo('sessions_away').execute())
      await everyDoor()
      await site.withDatabase(({ db }) => db.schema.alterTable('sessions_away').renameTo('sessions').execute())
      for (const words of ['user list --json', 'config print', 'doctor --json', 'verify --all --json'])
        await site.cli(words)
      // What the grant itself is told once, and the tables as they are kept.
      const kept = {
        log: site.godwit.output(),
        printed: site.printed(),
        answers: told.join('\n'),
        tables: await dump(site),
      }
      const found: string[] = []
      for (const [name, secret] of Object.entries(secrets)) {
        for (const form of [
          secret,
          encodePassword(secret),
          Buffer.from(secret).toString('hex'),
          encodeURIComponent(secret),
        ]) {
          for (const [place, text] of Object.entries(kept)) if (text.includes(form)) found.push(`${name} in ${place}`)
        }
      }
      expect(Object.keys(secrets).length).toBeGreaterThan(12)
      expect(found).toEqual([])
      expect(kept.answers).not.toContain(site.data)
      expect(kept.answers).not.toMatch(/at .*\.ts:\d+|node_modules|SQLITE_|ER_NO_SUCH/)
    },
  )
})

async function dump(site: Site): Promise<string> {
  return site.withDatabase(async (database) => {
    const rows: unknown[] = []
    for (const shape of await tableShapes(database))
      for await (const batch of readRows(database.db, shape, {})) rows.push(batch)
    return JSON.stringify(rows)
  })
}
