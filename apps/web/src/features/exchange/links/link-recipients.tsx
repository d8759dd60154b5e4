import type { LinkRecipient } from '@godwit/contract'
import { links } from '@godwit/contract/table/links'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatSize, formatTime } from '../../../lib/formats.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { linkKeys, useLinkRecipients } from './links-query.ts'
import styles from './links.module.css'

/** Whom a link was mailed to, and how far each of them has come. */
export function LinkRecipients({ linkId }: { readonly linkId: string }) {
  const texts = useTexts()
  const { data, error } = useLinkRecipients(linkId)
  return (
    <section aria-labelledby="recipients-title" data-testid="link-recipients">
      <h3 id="recipients-title">{texts('links.recipients')}</h3>
      <FailureNotice failure={error} />
      <ul className={styles['uses']}>
        {data?.items.map((recipient) => (
          <Recipient key={recipient.address} linkId={linkId} recipient={recipient} />
        ))}
      </ul>
    </section>
  )
}

function Recipient({ linkId, recipient }: { readonly linkId: string; readonly recipient: LinkRecipient }) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const { address, mail, answer } = recipient
  const mailAgain = async (): Promise<void> => {
    setBusy(true)
    try {
      await api.call(links.mailAgain, { body: { url: linkId, address } })
      messages.notify('success', texts('links.mail.again-done', { email: address }))
      await client.invalidateQueries({ queryKey: [...linkKeys, 'recipients', linkId] })
    } catch (error) {
      messages.fail(error, texts)
    } finally {
      setBusy(false)
    }
  }
  return (
    <li className={styles['recipient']}>
      <div>
        <span translate="no">{address}</span>
        {stepsOf(recipient, texts).map((step) => (
          <small key={step}>{step}</small>
        ))}
        {mail !== 'sent' && answer !== '' && (
          <small className={styles['refused']} translate="no">
            {answer}
          </small>
        )}
      </div>
      <Button disabled={isBusy} onClick={() => void mailAgain()}>
        {texts('links.mail.again')}
      </Button>
    </li>
  )
}

function stepsOf(recipient: LinkRecipient, texts: Texts): string[] {
  const { mail, mailedAt, openedAt, provenAt, downloads, uploads, bytes, percent } = recipient
  const size = formatSize(bytes, texts.locale)
  return [
    mailedAt === 0 ? texts('links.mail.none') : `${texts(`links.mail.${mail}`)} ${formatTime(mailedAt)}`,
    ...(openedAt === 0 ? [] : [`${texts('links.recipient.opened')} ${formatTime(openedAt)}`]),
    ...(provenAt === 0 ? [] : [`${texts('links.recipient.proven')} ${formatTime(provenAt)}`]),
    ...(downloads > 0 && percent === 100 ? [texts('links.recipient.done', { size })] : []),
    ...(downloads > 0 && percent !== null && percent < 100
      ? [texts('links.recipient.percent', { percent, size })]
      : []),
    ...(downloads > 0 && percent === null ? [texts('links.recipient.part', { size })] : []),
    ...(uploads > 0 ? [texts('links.recipient.uploads', { count: uploads, size })] : []),
  ]
}
