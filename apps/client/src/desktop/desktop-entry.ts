import { CLIENT_SCHEME } from '@godwit/contract'

/** The type under which desktops know programs that handle addresses of a scheme. */
export const ADDRESS_TYPE = `x-scheme-handler/${CLIENT_SCHEME}`

/** Starts with the session. */
export function autostartEntry(command: readonly string[]): string {
  return entry([`Exec=${[...command, 'run'].map(quotedWord).join(' ')}`])
}

/**
 * Stands in the menu of the desktop, and takes the addresses that pages call. An address is one word behind `--`, so that none of
 * it is an option; from the menu there is none, and the word is left out.
 */
export function menuEntry(command: readonly string[]): string {
  return entry([`Exec=${[...command, 'open', '--'].map(quotedWord).join(' ')} %u`, `MimeType=${ADDRESS_TYPE};`])
}

function entry(own: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Godwit',
    'Comment=Send and receive large files',
    'Comment[zh_CN]=收发大文件',
    ...own,
    'Terminal=false',
    'Categories=Network;FileTransfer;',
    '',
  ].join('\n')
}

/** Needs no quotes, which xdg-open without a desktop takes for a part of the word. */
const PLAIN = /^[\w./+:@-]+$/

/** Desktop Entry specification, "The Exec key": in quotes these four are escaped, a percent sign is doubled, and each backslash once more. */
export function quotedWord(word: string): string {
  if (PLAIN.test(word)) return word
  const escaped = word.replaceAll(/["`$\\]/g, String.raw`\$&`).replaceAll('\\', '\\\\')
  return `"${escaped.replaceAll('%', '%%')}"`
}
