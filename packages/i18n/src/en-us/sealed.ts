/** Files of end-to-end encrypted links. */
export const sealed = {
  'sealed.files': 'Encrypted files',
  'sealed.notice':
    'End-to-end encrypted: browsers encrypt and decrypt these files, and the server cannot read, preview, search or zip them.',
  'sealed.unscanned': 'Not scanned: encrypted.',
  'sealed.invite-notice':
    'Files are encrypted in this browser before they leave it. Only {account} can open them. To go on after a break, choose the same files again in this browser.',
  'sealed.empty': 'No files yet',
  'sealed.broken': 'Damaged, renamed, or not encrypted for this link',
  'sealed.downloading': 'Decrypting “{name}”: {done} of {total}',
  'sealed.download-all': 'Download all {count} files',
  'sealed.more': 'Show more ({shown} of {total})',
  'sealed.saved': '“{name}” is complete and decrypted',
  'sealed.failed.broken':
    '“{name}” is not what was encrypted: it was damaged or changed on the server. Nothing was saved.',
  'sealed.failed.line': '“{name}” could not be fetched. Nothing was saved. Try again when the connection is back.',
  'sealed.failed.room': 'This browser has no room for “{name}”. Free some disk space, or use another browser.',
  'sealed.fault.missing.title': 'The key is missing',
  'sealed.fault.missing.text':
    'This link is end-to-end encrypted, and the part of its address after the # is missing or cut off. Ask for the whole address.',
  'sealed.fault.other-link.title': 'The key is of another link',
  'sealed.fault.other-link.text':
    'The part of the address after the # does not belong to this link. Ask for the whole address.',
  'sealed.fault.no-tls.title': 'Encryption needs HTTPS',
  'sealed.fault.no-tls.text':
    'Browsers encrypt and decrypt only on pages that come over HTTPS. Open the link at the HTTPS address of this site.',
  'sealed.fault.sends-only.title': 'This address only sends files',
  'sealed.fault.sends-only.text':
    'It is the address for guests. The files open with your own address, which ends with #s=.',
  'sealed.address.share': 'Address with the key, for everybody who may read the files',
  'sealed.address.invite': 'Address for guests: sends files and opens none',
  'sealed.address.own': 'Your own address: it alone opens the files. Keep it to yourself.',
  'sealed.lost':
    'The key is in the address only, after the #. If the address is lost, the files are lost: nobody can restore it.',
  'sealed.page': 'Encrypted link',
  'sealed.add': 'Encrypt and upload files',
  'sealed.add.note':
    'Drop files or folders here. Keep this page open until everything is there; after a reload choose the same files again, and they go on.',
  'sealed.add.files': 'Choose files',
  'sealed.add.folder': 'Choose folder',
} as const

export type SealedKey = keyof typeof sealed
