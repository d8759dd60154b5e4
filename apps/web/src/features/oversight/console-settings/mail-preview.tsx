import { routes } from '@godwit/contract/table'
import type { MailKindView } from '@godwit/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useRested } from '../../../lib/use-rested.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Locale, LOCALES, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { DrawnMail } from '../../content/preview/index.ts'
import styles from './mail-preview.module.css'
import { wordsFault } from './mail-words.ts'
import type { SettingTexts } from './setting-values.ts'

interface MailPreviewProps {
  readonly mail: MailKindView
  readonly values: SettingTexts
}

/** The mail as its reader would have it, light, dark and as plain text, and a way to send it to oneself. */
export function MailPreview({ mail, values }: MailPreviewProps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const [locale, setLocale] = useState<Locale>(texts.locale)
  const [failure, setFailure] = useState<unknown>()
  const [isSending, setIsSending] = useState(false)
  const language = locale === 'zh-CN' ? 'zh' : 'en'
  const word = (part: 'subject' | 'body'): string => values[`mail.${mail.template}.${part}.${language}`] ?? ''
  const wanted = { template: mail.template, locale, subject: word('subject'), body: word('body') }
  const isFine = (['subject', 'body'] as const).every(
    (part) => wanted[part].trim() !== '' && wordsFault({ value: wanted[part], mail, part }, texts) === undefined,
  )
  const send = async (): Promise<void> => {
    setFailure(undefined)
    setIsSending(true)
    try {
      const { recipient } = await api.call(routes.adminMailTexts.test, { body: wanted })
      messages.notify('success', texts('mail-words.test.done', { recipient }))
    } catch (error) {
      setFailure(error)
    } finally {
      setIsSending(false)
    }
  }
  return (
    <section className={styles['preview']} aria-label={texts('mail-words.preview')}>
      <div className={styles['head']}>
        <h2>{texts('mail-words.preview')}</h2>
        <div className={styles['languages']} role="group" aria-label={texts('mail-words.language')}>
          {LOCALES.map((each) => (
            <Button key={each} kind="quiet" aria-pressed={each === locale} onClick={() => setLocale(each)}>
              {texts(`mail-words.language.${each === 'zh-CN' ? 'zh' : 'en'}`)}
            </Button>
          ))}
        </div>
        <Button disabled={!isFine || isSending} onClick={() => void send()}>
          {texts(isSending ? 'mail-words.test.sending' : 'mail-words.test')}
        </Button>
      </div>
      {failure !== undefined && <FailureNotice failure={failure} />}
      <Drawn wanted={wanted} isFine={isFine} />
    </section>
  )
}

interface Wanted {
  readonly template: MailKindView['template']
  readonly locale: Locale
  readonly subject: string
  readonly body: string
}

function Drawn({ wanted, isFine }: { readonly wanted: Wanted; readonly isFine: boolean }) {
  const { api } = useServices()
  const body = useRested(wanted)
  const { data, error } = useQuery({
    queryKey: ['console', 'mail-preview', body],
    queryFn: ({ signal }) => api.call(routes.adminMailTexts.preview, { body }, { signal }),
    enabled: isFine,
    retry: false,
    // The mail of before stands until the next one is there.
    placeholderData: keepPreviousData,
  })
  if (error !== null) return <FailureNotice failure={error} />
  if (data === undefined) return null
  return <DrawnMail mail={data} />
}
