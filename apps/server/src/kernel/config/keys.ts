import { isIP } from 'node:net'
import { isAbsolute } from 'node:path'
import { MiB } from '@godwit/base'
import { DEFAULT_PORT, PASSWORD_PRESETS } from '@godwit/contract'
import { z } from 'zod'
import { LOG_LEVELS } from '../log.ts'
import { isHostName } from '../outbound/index.ts'

/** `all` of the value, or the `password` inside an address. */
export type Secret = 'all' | 'password'

export interface ConfigKey {
  readonly schema: z.ZodType
  readonly summary: string
  /**
   * What of the value is secret. Masked wherever the configuration is shown, never taken from a flag, and may also come from the file
   * named by its `_FILE` twin.
   */
  readonly secret?: Secret | undefined
}

/** Only digits are a number: an empty variable is not 0, and `0x50` or `true` is a slip. */
const number = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^-?\d+$/)
        .transform(Number),
    ],
    'must be a whole number',
  )
  .pipe(z.number('must be a whole number').int('must be a whole number'))
const count = (least = 0, most = Number.MAX_SAFE_INTEGER) => number.pipe(z.number().min(least).max(most))
/** How long the recycle bin may keep files. */
const RETENTION_DAYS: readonly number[] = [7, 30, 90, 180, 365]
const port = count(0, 65_535)
const list = z.union([
  z.array(z.string()),
  z.string().transform((text) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  ),
])

/** An Ed25519 key as SubjectPublicKeyInfo, in base64: what precedes the key itself is the same in all of them. */
const ISSUER_KEY = /^(?:MCowBQYDK2VwAyEA[A-Za-z0-9+/]{43}=)?$/

/** Scheme, host and port as a browser sends them: no path, no wildcard, no `null`. */
function isOrigin(entry: string): boolean {
  return /^https?:\/\/[^*]+$/.test(entry) && URL.canParse(entry) && new URL(entry).origin === entry
}

/** An address, or a range of them as CIDR: `192.0.2.7`, `10.0.0.0/8`, `fd00::/8`. */
function isRange(entry: string): boolean {
  const [address = '', prefix, ...rest] = entry.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
}

function key<Schema extends z.ZodType>(schema: Schema, summary: string, secret?: Secret) {
  return { schema, summary, secret }
}

/**
 * Every setting of the process. The name in the file is the key as it stands (`upload.maxBytes`, nested or dotted); the environment
 * twin is GODWIT_ + upper snake case (`GODWIT_UPLOAD_MAX_BYTES`); the flag is kebab case (`--upload-max-bytes`).
 */
export const CONFIG_KEYS = {
  host: key(z.string().min(1).default('127.0.0.1'), 'Address to listen on'),
  port: key(port.default(DEFAULT_PORT), 'Port of portal, API and documentation; 0 takes a free one'),
  'tls.port': key(
    z.union([z.literal(''), port], 'must be a port or empty').default(''),
    'Port of HTTPS, beside the one without; 0 takes a free one; empty: no HTTPS',
  ),
  'tls.redirect': key(
    z.enum(['on', 'off']).default('off'),
    'Whether requests without TLS are sent to HTTPS, once there is a certificate',
  ),
  'tls.hstsDays': key(
    count(0, 730).default(0),
    'Days for which browsers shall come by HTTPS alone; 0: they are not told. Only sent with a valid certificate of an authority',
  ),
  'tls.http2': key(
    z.enum(['on', 'off']).default('on'),
    'Whether clients of HTTPS may speak HTTP/2, which saves connections; off: HTTP/1.1 alone',
  ),
  'tls.selfSigned': key(
    z.enum(['on', 'off']).default('off'),
    'Whether a start without a certificate makes one that no authority signed',
  ),
  data: key(z.string().min(1).default('./data'), 'Folder for the database, files and keys'),
  publicUrl: key(
    z
      .union([z.literal(''), z.url()])
      .refine(
        (url) => !URL.canParse(url) || new URL(url).pathname === '/',
        'must have no path: Godwit wants a host name of its own',
      )
      .default(''),
    'Address that mails and links carry; empty: http://host:port',
  ),
  'database.url': key(
    z.union([z.literal(''), z.string().regex(/^mysql:\/\//, 'must begin with mysql://')]).default(''),
    'mysql://user:password@host:port/name; empty: SQLite in the data folder',
    'password',
  ),
  'redis.url': key(
    z.union([z.literal(''), z.string().regex(/^rediss?:\/\//, 'must begin with redis:// or rediss://')]).default(''),
    'redis://user:password@host:port/db, shared by all nodes; empty: one node alone, or nodes that share their MySQL',
    'password',
  ),
  'admin.account': key(z.string().default(''), 'Account of the first administrator, for an unattended start'),
  'admin.email': key(z.string().default(''), 'E-mail of the first administrator'),
  'admin.password': key(z.string().default(''), 'Password of the first administrator', 'all'),
  'log.level': key(z.enum(LOG_LEVELS).default('info'), 'Least severity that is logged'),
  trustedProxies: key(
    list.refine((entries) => entries.every(isRange), 'must hold addresses and CIDR ranges only').default([]),
    'Addresses or CIDR ranges whose X-Forwarded-For is believed',
  ),
  'http.allowedOrigins': key(
    list.refine((entries) => entries.every(isOrigin), 'must hold origins such as https://www.example.org').default([]),
    'Other sites whose pages may upload, download and call file operations with a token; empty: none',
  ),
  'http.maxConnections': key(
    count().default(0),
    'Connections open at once; 0: as many as the memory of the machine is good for, at most 16,384',
  ),
  'http.maxConnectionsPerAddress': key(
    count(1).default(4_096),
    'Connections open at once from one IPv4 address or IPv6 /64, trusted proxies excepted',
  ),
  'http.bodyMemoryBytes': key(
    number.refine((bytes) => bytes === 0 || bytes >= 128 * MiB, 'must be 0 or at least 134217728').default(0),
    'Memory for all request bodies and waiting answers together; 0: a quarter of the memory, from 128 to 416 MiB',
  ),
  'http.nodeInternals': key(
    z.enum(['on', 'off']).default('on'),
    'Whether big bodies are read past the HTTP parser of Node, which saves half of the processor time; off: only documented interfaces of Node are used',
  ),
  'outbound.allow': key(
    list
      .refine(
        (entries) => entries.every((entry) => isRange(entry) || isHostName(entry)),
        'must hold addresses, CIDR ranges and names only',
      )
      .default([]),
    'Addresses, CIDR ranges and names inside the house that users and administrators may have the server connect to',
  ),
  'hooks.folder': key(
    z
      .string()
      .refine((text) => text === '' || isAbsolute(text), 'must be an absolute path or empty')
      .default(''),
    'Folder of the programs that event hooks may run; empty: none',
  ),
  'licence.issuerKey': key(
    z.string().regex(ISSUER_KEY, 'must be a public key as godwit licence key prints it, or empty').default(''),
    'Public key of whoever may issue licenses for this installation; empty: nobody',
  ),
  'mail.host': key(z.string().default(''), 'Mail server of the system sender; empty: as set by godwit mail set'),
  'mail.port': key(port.default(587), 'Port of the mail server'),
  'mail.encryption': key(z.enum(['starttls', 'ssl', 'none']).default('starttls'), 'Encryption of the mail server'),
  'mail.account': key(z.string().default(''), 'E-mail address that the system sends from and signs in with'),
  'mail.password': key(z.string().default(''), 'Password of the mail account; empty: no sign-in', 'all'),
  'mail.fromName': key(z.string().default(''), 'Name shown as the sender; empty: the name of the product'),
  'upload.maxBytes': key(count().default(0), 'Largest file in bytes; 0: no limit'),
  'upload.partBytes': key(count(MiB).default(16 * MiB), 'Part size offered to browsers'),
  'upload.grantHours': key(count(1).default(7 * 24), 'Hours an unfinished upload may go on after it began'),
  'user.quotaBytes': key(count().default(0), 'Bytes each user may keep; 0: no limit'),
  'recycle.retentionDays': key(
    number.refine((days) => RETENTION_DAYS.includes(days), `must be one of ${RETENTION_DAYS.join(', ')}`).default(30),
    'Days that deleted files stay in the recycle bin: 7, 30, 90, 180 or 365',
  ),
  'storage.reserveBytes': key(
    count().default(64 * MiB),
    'Free space that uploads may not take, so that sign-in and delete still work on a full disk',
  ),
  'preview.office': key(
    z.string().default('auto'),
    'LibreOffice, which draws office documents: path of soffice; auto: looked for; off: not used',
  ),
  'preview.video': key(
    z.string().default('auto'),
    'FFmpeg, which makes films playable and pictures of them: path of ffmpeg; auto: looked for; off: not used',
  ),
  'preview.cad': key(
    z.string().default(''),
    'Command that makes a PDF of dwg and ocf files, with {in} and {out} in place of their names; empty: none',
  ),
  'security.lockAttempts': key(count(3, 30).default(5), 'Wrong passwords before an account is locked'),
  'security.lockMinutes': key(count(1).default(10), 'Minutes in which they count, and the lock lasts'),
  'security.idleMinutes': key(count(1).default(30), 'Minutes without activity before a session ends'),
  'security.passwordPreset': key(z.enum(PASSWORD_PRESETS).default('standard'), 'Password rule'),
} as const satisfies Readonly<Record<string, ConfigKey>>

export type ConfigName = keyof typeof CONFIG_KEYS
export type Config = { readonly [Name in ConfigName]: z.output<(typeof CONFIG_KEYS)[Name]['schema']> }
export type ConfigSource = 'default' | 'file' | 'environment' | 'flag'

export const VARIABLE_PREFIX = 'GODWIT_'
/** Names the configuration file. */
export const CONFIG_FILE_VARIABLE = `${VARIABLE_PREFIX}CONFIG`

export function environmentName(name: string): string {
  return `${VARIABLE_PREFIX}${name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('.', '_')
    .toUpperCase()}`
}

export function flagName(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll('.', '-')
    .toLowerCase()
}
