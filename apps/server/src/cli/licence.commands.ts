import { generateKeyPairSync, createPrivateKey, createPublicKey } from 'node:crypto'
import fs from 'node:fs'
import { randomHex } from '@godwit/base'
import { EDITION_NAMES, LICENCE_CODE_LENGTHS, type EditionName, type LicenceStatus } from '@godwit/contract'
import {
  installLicence,
  licenceCodeHash,
  newLicenceCode,
  removeLicence,
  signLicence,
  type LicenceBody,
} from '../foundation/licence/index.ts'
import type { Database } from '../kernel/db/index.ts'
import { licenceStatus } from '../oversight/licences/index.ts'
import { misused, missing, textOf } from './arguments.ts'
import type { Command, Invocation } from './command.types.ts'
import { EXIT } from './exit-codes.ts'
import { licenceDeps, licenceTerms, withDatabase, withNewDatabase } from './installation.ts'

const DAY_MS = 86_400_000
const MACHINE_CODE = /^(?:[0-9A-Z]{16})?$/

const key: Command = {
  name: 'licence key',
  summary: 'Make the key that an issuer signs licenses with, and print its public half for licence.issuerKey',
  positionals: [],
  options: {
    'key-file': {
      type: 'string',
      summary: 'Where the private key is kept; one that is there is not replaced',
      value: 'FILE',
      required: true,
    },
  },
  examples: ['godwit licence key --key-file ./issuer.pem'],
  run: (call) => {
    const file = textOf(call, 'key-file') ?? ''
    if (!fs.existsSync(file)) {
      const { privateKey } = generateKeyPairSync('ed25519')
      fs.writeFileSync(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx' })
    }
    const issuerKey = publicKeyOf(fs.readFileSync(file, 'utf8'))
    call.show({ issuerKey }, `GODWIT_LICENCE_ISSUER_KEY=${issuerKey}`)
    return Promise.resolve(EXIT.ok)
  },
}

const issue: Command = {
  name: 'licence issue',
  summary: 'Sign a license file and print its activation code',
  positionals: [],
  options: {
    'key-file': {
      type: 'string',
      summary: 'Private key of the issuer: godwit licence key',
      value: 'FILE',
      required: true,
    },
    edition: { type: 'string', summary: EDITION_NAMES.join(', '), value: 'NAME', required: true },
    holder: { type: 'string', summary: 'Whom it is issued to', value: 'NAME', required: true },
    out: { type: 'string', summary: 'Where the license file is written', value: 'FILE', required: true },
    days: { type: 'string', summary: 'Days it is valid (default: without end)', value: 'DAYS' },
    machine: { type: 'string', summary: 'Machine code of the only installation that may use it', value: 'CODE' },
    users: { type: 'string', summary: 'Users, in place of the number of the edition; 0: unlimited', value: 'N' },
    clients: { type: 'string', summary: 'Connected clients, likewise', value: 'N' },
    'bandwidth-mbps': { type: 'string', summary: 'Bandwidth of all transfers in each direction, likewise', value: 'N' },
    'traffic-bytes': {
      type: 'string',
      summary: 'Bytes that may be transferred in the traffic edition, likewise',
      value: 'N',
    },
    'code-length': {
      type: 'string',
      summary: `Length of the code: ${LICENCE_CODE_LENGTHS.join(', ')} (default 16)`,
      value: 'N',
    },
  },
  examples: [
    'godwit licence issue --key-file ./issuer.pem --edition pro --holder "Example Ltd" --days 365 --out ./example.licence',
  ],
  run: (call) => {
    const wanted = licenceOf(call)
    if (typeof wanted === 'string') return Promise.resolve(misused(call, wanted))
    const { licence, code } = wanted
    const out = textOf(call, 'out') ?? ''
    const text = signLicence(licence, fs.readFileSync(textOf(call, 'key-file') ?? '', 'utf8'))
    fs.writeFileSync(out, text, { flag: 'wx' })
    call.show({ id: licence.id, code, file: out }, `${out} is signed. Its activation code: ${code}`)
    return Promise.resolve(EXIT.ok)
  },
}

const install: Command = {
  name: 'licence install',
  summary: 'Put a license in force by its file and its activation code; a file without its code waits for it',
  positionals: [],
  options: {
    file: { type: 'string', summary: 'License file (default: the one that waits)', value: 'FILE' },
    code: { type: 'string', summary: 'Activation code', value: 'CODE' },
  },
  examples: ['godwit licence install --file ./example.licence --code 7XK2M9QPLR4TVW3A'],
  run: async (call) => {
    const path = textOf(call, 'file')
    const code = textOf(call, 'code')?.trim() ?? ''
    if (path === undefined && code === '') return misused(call, 'a file or a code is needed')
    const file = path === undefined ? '' : fs.readFileSync(path, 'utf8')
    return withNewDatabase(call, async (database) => {
      await installLicence(licenceDeps(call, database), { file, code, by: '' })
      return showStatus(call, database)
    })
  },
}

const show: Command = {
  name: 'licence show',
  summary: 'Show edition, days left, limits and the machine code of this installation',
  positionals: [],
  options: {},
  examples: ['godwit licence show', 'godwit licence show --json'],
  run: (call) => withDatabase(call, (database) => showStatus(call, database)),
}

const remove: Command = {
  name: 'licence remove',
  summary: 'Take the license out of force; the setting of the edition decides again',
  positionals: [],
  options: {},
  examples: ['godwit licence remove'],
  run: (call) =>
    withDatabase(call, async (database) => {
      if ((await removeLicence(database)) === undefined) return missing(call, 'There is no license.')
      return showStatus(call, database)
    }),
}

export const LICENCE_COMMANDS: readonly Command[] = [key, issue, install, show, remove]

function publicKeyOf(privateKeyPem: string): string {
  const publicKey = createPublicKey(createPrivateKey(privateKeyPem))
  return publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
}

/** @returns what is wrong with the options, or what they ask for */
function licenceOf(call: Invocation): string | { readonly licence: LicenceBody; readonly code: string } {
  const { clock, random } = call.io
  const edition = EDITION_NAMES.find((name) => name === textOf(call, 'edition'))
  if (edition === undefined) return `edition must be one of ${EDITION_NAMES.join(', ')}`
  const machine = textOf(call, 'machine') ?? ''
  if (!MACHINE_CODE.test(machine)) return 'machine must be a code as godwit licence show prints it'
  const length = Number(textOf(call, 'code-length') ?? 16)
  if (!LICENCE_CODE_LENGTHS.some((known) => known === length))
    return `code-length must be one of ${LICENCE_CODE_LENGTHS.join(', ')}`
  const days = numberOf(call, 'days')
  const limits = {
    users: numberOf(call, 'users'),
    clients: numberOf(call, 'clients'),
    bandwidthMbps: numberOf(call, 'bandwidth-mbps'),
    trafficBytes: numberOf(call, 'traffic-bytes'),
  }
  const faulty = Object.entries({ days, ...limits }).find(([, value]) => Number.isNaN(value))
  if (faulty !== undefined || days === null) return `${faulty?.[0] ?? 'days'} must be a whole number`
  return signedParts(
    { edition, machine, length, days, limits, holder: textOf(call, 'holder') ?? '' },
    { clock, random },
  )
}

interface WantedParts extends Pick<LicenceBody, 'machine' | 'holder' | 'limits'> {
  readonly edition: EditionName
  readonly length: number
  readonly days: number | undefined
}

function signedParts(
  { length, days, ...wanted }: WantedParts,
  { clock, random }: Pick<Invocation['io'], 'clock' | 'random'>,
) {
  const id = randomHex(random, 16)
  const code = newLicenceCode(random, length)
  const startsAt = clock.now()
  const expiresAt = days === undefined ? null : startsAt + days * DAY_MS
  const licence: LicenceBody = {
    ...{ version: 1, id, ...wanted, startsAt, expiresAt },
    codeHash: licenceCodeHash(id, code),
  }
  return { licence, code }
}

/** @returns undefined for what is not given, null for 0, NaN for what is no number */
function numberOf(call: Invocation, name: string): number | null | undefined {
  const text = textOf(call, name)
  if (text === undefined) return undefined
  return /^\d{1,15}$/.test(text) ? Number(text) || null : Number.NaN
}

async function showStatus(call: Invocation, database: Database): Promise<typeof EXIT.ok> {
  const { db } = database
  const deps = licenceDeps(call, database)
  const terms = await licenceTerms(call, database)
  const status = await licenceStatus({ db, now: deps.clock.now(), issuerKey: deps.issuerKey, terms })
  call.show(status, textOfStatus(status))
  return EXIT.ok
}

function textOfStatus({ licence, pending, users, clients, traffic, ...status }: LicenceStatus): string {
  const limit = (value: number | null): string => (value === null ? 'unlimited' : String(value))
  const facts = {
    state: status.state,
    edition: status.edition,
    ...(licence === null
      ? {}
      : {
          holder: licence.holder,
          until:
            licence.expiresAt === null
              ? 'without end'
              : `${new Date(licence.expiresAt).toISOString().slice(0, 10)} (${licence.daysLeft} days)`,
        }),
    users: `${users.used} of ${limit(users.limit)}`,
    clients: limit(clients.limit),
    bandwidth: status.bandwidthMbps === null ? 'unlimited' : `${status.bandwidthMbps} Mbps`,
    ...(traffic.isCounted ? { traffic: `${traffic.usedBytes} of ${limit(traffic.totalBytes)} bytes` } : {}),
    ...(pending === null ? {} : { waiting: `${pending.edition} for ${pending.holder}: godwit licence install --code` }),
    machine: status.machineCode,
    issuer: status.hasIssuer ? 'known' : 'none: set licence.issuerKey',
  }
  return Object.entries(facts)
    .map(([name, value]) => `${name.padEnd(10)}  ${value}`)
    .join('\n')
}
