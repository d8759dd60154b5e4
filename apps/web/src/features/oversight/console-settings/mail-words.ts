import type { MailKindView } from '@godwit/contract'
import type { Texts } from '../../../lib/texts.tsx'

export interface WordsPart {
  readonly part: 'subject' | 'body'
  readonly language: 'en' | 'zh'
}

/** `mail.invitation.subject.en` */
export function partOf(key: string): WordsPart {
  const [part, language] = key.split('.').slice(-2)
  return { part: part === 'subject' ? 'subject' : 'body', language: language === 'zh' ? 'zh' : 'en' }
}

interface Written extends Pick<WordsPart, 'part'> {
  readonly value: string
  readonly mail: Pick<MailKindView, 'placeholders' | 'needed'>
}

/** As the server would refuse it; the server has the rule. */
export function wordsFault({ value, mail, part }: Written, texts: Texts): string | undefined {
  const names = [...value.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
  const unknown = names.find((name) => !mail.placeholders.includes(name))
  if (unknown !== undefined) return texts('mail-words.fault.unknown', { name: `{${unknown}}` })
  const missing = part === 'body' ? mail.needed.find((name) => !names.includes(name)) : undefined
  if (missing !== undefined) return texts('mail-words.fault.missing', { name: `{${missing}}` })
  return /[{}]/.test(value.replaceAll(/\{\w+\}/g, '')) ? texts('mail-words.fault.braces') : undefined
}
