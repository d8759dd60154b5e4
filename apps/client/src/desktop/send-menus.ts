import { quotedWord } from './desktop-entry.ts'

/** A file that puts "Send with Godwit" into the menu of a file manager. */
export interface SendMenu {
  /** Below a data folder, such as /usr/share. */
  readonly path: string
  readonly text: string
}

const NAME = 'Send with Godwit'
const NAME_ZH = '用 Godwit 发送'

/**
 * For Dolphin, Nemo and Thunar, as their documentation has them. Names come as words of the command behind `--`, so that none is an
 * option. Nemo splits its command line by itself: there they are addresses, in which no sign of a quotation is left.
 */
export function sendMenus(command: readonly string[]): readonly SendMenu[] {
  const send = [...command, 'send', '--'].map(quotedWord).join(' ')
  return [
    {
      path: 'kio/servicemenus/godwit-client.desktop',
      text: lines(
        ...['[Desktop Entry]', 'Type=Service', 'X-KDE-ServiceTypes=KonqPopupMenu/Plugin', 'MimeType=all/all;'],
        ...['X-KDE-Protocols=file', 'Actions=send;', '', '[Desktop Action send]', `Name=${NAME}`],
        ...[`Name[zh_CN]=${NAME_ZH}`, 'Icon=document-send', `Exec=${send} %F`],
      ),
    },
    {
      path: 'nemo/actions/godwit-client.nemo_action',
      text: lines(
        ...['[Nemo Action]', `Name=${NAME}`, `Name[zh_CN]=${NAME_ZH}`, 'Icon-Name=document-send'],
        ...['Selection=notnone', 'Extensions=any;', 'Quote=double', `Exec=${send} %U`],
      ),
    },
    {
      path: 'Thunar/sendto/godwit-client.desktop',
      text: lines(
        ...['[Desktop Entry]', 'Type=Application', 'Name=Godwit', 'Icon=document-send'],
        ...[`Exec=${send} %F`, 'NoDisplay=true'],
      ),
    },
  ]
}

/** GNOME Files runs scripts of the user alone, with the names of the files as its words. */
export function nautilusScript(command: readonly string[]): string {
  const words = command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`)
  return lines('#!/bin/sh', `exec ${words.join(' ')} send -- "$@"`)
}

/** Below the data folder of a user; the name of a script is what the menu shows. */
export const NAUTILUS_SCRIPTS = { 'en-US': `nautilus/scripts/${NAME}`, 'zh-CN': `nautilus/scripts/${NAME_ZH}` } as const

function lines(...all: readonly string[]): string {
  return `${all.join('\n')}\n`
}
