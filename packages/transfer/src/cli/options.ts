/** One option of a command: what `parseArgs` needs, and what the help says. */
export interface OptionSpec {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  readonly multiple?: true
  /** The placeholder after the name of an option that takes a value. */
  readonly value?: string
  readonly help: string
}

type OptionTable = Readonly<Record<string, OptionSpec>>

const COMMON = {
  json: { type: 'boolean', help: 'one JSON object a line' },
  help: { type: 'boolean', short: 'h', help: 'this text' },
} as const satisfies OptionTable

const LINK = {
  via: { type: 'string', value: 'URL', help: 'meet at this Godwit server, when neither side can be reached' },
  'no-relay': { type: 'boolean', help: 'with --via: send no data through the server; fail without a direct way' },
  'code-file': { type: 'string', value: 'FILE', help: 'file with the code (also: the variable GWT_CODE)' },
  code: { type: 'string', value: '-', help: 'read the code from standard input' },
  rate: { type: 'string', value: 'RATE', help: 'ceiling in bits per second: 800k, 20M, 1.5G' },
  schedule: {
    type: 'string',
    value: 'TEXT',
    help: "'DAYS FROM-TO RATE; ...', days as mon-fri, sat,sun or daily; rate none lifts the ceiling",
  },
  policy: { type: 'string', value: 'NAME', help: 'fair (default), high, low, or fixed with --rate' },
  udp: { type: 'string', value: 'KIND', help: 'auto (default), batched, portable, off' },
  'packet-size': { type: 'string', value: 'N', help: 'UDP payload, 600 to 1442' },
  'no-encrypt': { type: 'boolean', help: 'authenticated clear text' },
} as const satisfies OptionTable

export const SEND_OPTIONS = {
  include: { type: 'string', multiple: true, value: 'GLOB', help: 'send only what matches; may be repeated' },
  exclude: { type: 'string', multiple: true, value: 'GLOB', help: 'leave out what matches; may be repeated' },
  'min-size': { type: 'string', value: 'SIZE', help: 'leave out smaller files: 500, 20k, 4M, 1G' },
  'max-size': { type: 'string', value: 'SIZE', help: 'leave out larger files' },
  update: { type: 'boolean', help: 'keep files that are newer at the receiver, without an error' },
  'ignore-existing': { type: 'boolean', help: 'keep every file that is at the receiver' },
  overwrite: { type: 'boolean', help: 'replace files that are newer at the receiver, too' },
  checksum: { type: 'boolean', help: 'compare files of the same size by hash instead of time' },
  'dry-run': { type: 'boolean', short: 'n', help: 'say what would be sent, and send nothing' },
  links: { type: 'boolean', help: 'send symbolic links as links; recv needs --links too' },
  name: { type: 'string', value: 'NAME', help: 'name of the file that standard input becomes' },
  hash: { type: 'string', value: 'NAME', help: 'blake3 (default) or sha256' },
  ...LINK,
  ...COMMON,
} as const satisfies OptionTable

export const RECV_OPTIONS = {
  port: { type: 'string', value: 'N', help: 'TCP and UDP port, 0 for any free one (32001)' },
  host: { type: 'string', value: 'ADDRESS', help: 'address to listen on (every IPv4 address)' },
  'token-file': {
    type: 'string',
    value: 'FILE',
    help: 'with --via: file with an API token of the server (also: the variable GODWIT_TOKEN)',
  },
  once: { type: 'boolean', help: 'stop after one transfer' },
  perms: { type: 'boolean', help: 'keep permissions as they are; otherwise rwxr-x--- at most' },
  links: { type: 'boolean', help: 'make symbolic links that stay inside the folder' },
  sparse: { type: 'boolean', help: 'leave holes where files hold zeros' },
  'window-mib': { type: 'string', value: 'N', help: 'memory for what is on its way (96)' },
  ...LINK,
  ...COMMON,
} as const satisfies OptionTable

export const BENCH_OPTIONS = {
  size: { type: 'string', value: 'SIZE', help: 'bytes to move (500M)' },
  files: { type: 'string', value: 'N', help: 'move files of 4 KiB instead' },
  ...COMMON,
} as const satisfies OptionTable
