/** Findings of `godwit-client doctor`: what was found, who can mend it, and the next step. */
export const findings = {
  'server-ok': { text: 'The server answers after {ms} ms.' },
  'server-unreachable': {
    text: 'The server does not answer: {reason}.',
    who: 'you, or whoever runs your network',
    next: 'Check the address and the connection, and whether a proxy or firewall lets this program out.',
  },
  'server-foreign': {
    text: 'Something answers at this address, and it is no Godwit server (status {status}).',
    who: 'the administrator of the server',
    next: 'Check the address. A proxy in front of the server may answer in its place.',
  },
  'certificate-ok': { text: 'The certificate is trusted and valid for {days} more days.' },
  'certificate-soon': {
    text: 'The certificate ends in {days} days.',
    who: 'the administrator of the server',
    next: 'Renew the certificate.',
  },
  'certificate-refused': {
    text: 'The certificate is not trusted: {reason}.',
    who: 'the administrator of the server',
    next: 'Install a certificate of a known authority, or add its authority to this computer.',
  },
  'certificate-none': {
    text: 'The connection is not encrypted: the address begins with http.',
    who: 'the administrator of the server',
    next: 'Serve the portal by https and sign in with the new address.',
  },
  'clock-ok': { text: 'The clocks of computer and server agree.' },
  'clock-off': {
    text: 'The clock of this computer differs from that of the server by {seconds} s.',
    who: 'you, or the administrator of the server',
    next: 'Let both set their clock by the network. File times and expiry times are wrong until then.',
  },
  'account-ok': { text: '{account} is signed in.' },
  'account-refused': {
    text: 'The sign-in does not count any more: {reason}.',
    who: 'you',
    next: 'Sign in again: godwit-client login {server}',
  },
  'upload-denied': {
    text: 'The account may not upload into its top folder, so the line was not measured: {reason}',
    who: 'the administrator of the server',
    next: 'Ask for the permission to upload, if you need it.',
  },
  'port-closed': {
    text: 'The server has no transfer port open.',
    who: 'the administrator of the server',
    next: 'Switch the transfer port on in the console, and look for its fault in the log.',
  },
  'port-forbidden': {
    text: 'This account may not transfer with the client.',
    who: 'the administrator of the server',
    next: 'Change the ways of transfer of the account or of the site.',
  },
  'tcp-ok': { text: 'The transfer port {host}:{port} answers by TCP.' },
  'tcp-blocked': {
    text: 'The transfer port {host}:{port} cannot be reached by TCP: {reason}.',
    who: 'whoever runs the firewall of this network or of the server',
    next: 'Let TCP and UDP through to port {port}. A proxy for web pages does not carry it.',
  },
  'udp-ok': { text: 'UDP passes: {mbps} Mbit/s measured, limited to {limit}; round trip {ms} ms.' },
  'udp-off': {
    text: 'UDP is switched off at the server or not wanted at this distance; TCP carries {mbps} Mbit/s.',
  },
  'udp-blocked': {
    text: 'UDP does not pass, so TCP is used: {mbps} Mbit/s. ({reason})',
    who: 'whoever runs the firewall of this network or of the server',
    next: 'Let UDP through to port {port} in both directions. On long or lossy lines it is much faster.',
  },
  'mtu-ok': { text: 'Packets of {bytes} bytes pass.' },
  'mtu-small': {
    text: 'Only packets of {bytes} bytes pass; the server offers {wanted}.',
    who: 'whoever runs the network',
    next: 'A tunnel or VPN takes room in each packet. It works, at a little more cost for the processor.',
  },
  'loss-ok': { text: '{percent} % of the packets were lost.' },
  'loss-high': {
    text: '{percent} % of the packets were lost.',
    who: 'whoever runs the network',
    next: 'Use a cable instead of wireless, and look for an overloaded line. UDP stays fast up to a few percent.',
  },
  'disk-ok': { text: 'The disk of {folder} writes {mbps} MB/s.' },
  'disk-slow': {
    text: 'The disk of {folder} writes {mbps} MB/s: downloads cannot be faster.',
    who: 'you',
    next: 'Download to another disk: godwit-client folders downloads FOLDER',
  },
  'disk-fault': {
    text: 'The download folder {folder} cannot be written: {reason}.',
    who: 'you',
    next: 'Free space, or choose another folder: godwit-client folders downloads FOLDER',
  },
} as const

export type FindingKey = keyof typeof findings
export interface FindingText {
  readonly text: string
  readonly who?: string
  readonly next?: string
}
