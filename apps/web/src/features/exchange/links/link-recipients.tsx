import type { LinkReader, LinkRecipient, LinkRecord } from '@godwit/contract'
import { LINK_STATUS, SHARE_URL_TYPE } from '@godwit/contract/exchange/link-states'
import { links } from '@godwit/contract/table/links'
import { useQueryClient } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import { useState } from 'react'
import { formatSize, formatTime } from '../../../lib/formats.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { calledPerson } from './link-form.ts'
import { linkKeys, useLinkRecipients } from './links-query.ts'
import styles from './link-detail.module.css'
import shared from './links.module.css'

/** Whom a link was mailed to, and how far each of them has come. */
export function LinkRecipients({ record }: { readonly record: LinkRecord }) {
  const texts = useTexts()
  const { linkId } = record
  const { data, error } = useLinkRecipients(linkId)
  const missing = data === undefined ? 0 : missingOf(data.items, data.people, record)
  return (
    <section aria-labelledby="recipients-title" data-testid="link-recipients">
      <h3 id="recipients-title">{texts('links.recipients')}</h3>
      <FailureNotice failure={error} />
      {data !== undefined && data.items.length + data.people.length === 0 && (
        <p className={shared['note']}>{texts('links.readers.none')}</p>
      )}
      {missing > 0 && record.shareStatus === LINK_STATUS.normal && <Remind linkId={linkId} count={missing} />}
      <ul className={styles['uses']}>
        {data?.items.map((recipient) => (
          <Recipient key={recipient.address} linkId={linkId} recipient={recipient} />
        ))}
        {data?.people.map((person) => (
          <li key={person.id} className={styles['recipient']}>
            <div>
              <span translate="no">{calledPerson(person)}</span>
              <small>
                {person.openedAt === 0
                  ? texts('links.readers.not-opened')
                  : `${texts('links.recipient.opened')} ${formatTime(person.openedAt)}`}
              </small>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** How many have still to open the link, or to take or bring what it is for. */
function missingOf(
  items: readonly LinkRecipient[],
  people: readonly LinkReader[],
  { shareUrlType, shareAllowDownload }: LinkRecord,
): number {
  const isMissing = ({ openedAt, uploads, percent, missing }: LinkRecipient): boolean => {
    if (shareUrlType === SHARE_URL_TYPE.upload) return uploads === 0 || missing.length > 0
    return shareAllowDownload === 1 ? percent !== 100 : openedAt === 0
  }
  return items.filter(isMissing).length + people.filter(({ openedAt }) => openedAt === 0).length
}

function Remind({ linkId, count }: { readonly linkId: string; readonly count: number }) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const remind = async (): Promise<void> => {
    setBusy(true)
    try {
      const { mails, notices } = await api.call(links.remind, { body: { url: linkId } })
      messages.notify('success', texts('links.reminded', { count: mails + notices }))
      await client.invalidateQueries({ queryKey: [...linkKeys, 'recipients', linkId] })
    } catch (error) {
      messages.fail(error, texts)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={shared['buttons']}>
      <Button disabled={isBusy} onClick={() => void remind()}>
        <BellRing size={16} aria-hidden="true" />
        {texts('links.remind', { count })}
      </Button>
    </div>
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
  const { mail, mailedAt, openedAt, provenAt, downloads, uploads, bytes, percent, missing, verified } = recipient
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
    ...(verified > 0 ? [texts('links.recipient.verified', { count: verified })] : []),
    ...(uploads > 0 ? [texts('links.recipient.uploads', { count: uploads, size })] : []),
    ...(missing.length > 0 ? [texts('links.recipient.missing', { names: missing.join(', ') })] : []),
  ]
}
