import type { AdminLink, AdminLinkDetail } from '@godwit/contract'
import { formatTime } from '../../../lib/formats.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { type Fact, Facts } from '../../console-kit/facts.tsx'
import { ObjectDrawer } from '../../console-kit/object-drawer.tsx'
import type { RegisterActionName } from './register-actions.ts'
import { deviceText, expiryText, ownerText, placeText, sharedNames } from './register-columns.tsx'
import { RegisterHistory, RegisterRecords } from './register-records.tsx'
import { RegisterState } from './register-state.tsx'
import { useRegisteredLink } from './registers-source.ts'

export interface RegisterDrawerProps {
  readonly id: string
  /** What this administrator may do to a link now. */
  readonly actionsFor: (link: AdminLink) => readonly RegisterActionName[]
  readonly onAsk: (action: RegisterActionName, link: AdminLink) => void
  readonly onClose: () => void
}

/** One link beside the list: its terms, who used it, and what became of it. */
export function RegisterDrawer({ id, actionsFor, onAsk, onClose }: RegisterDrawerProps) {
  const texts = useTexts()
  const query = useRegisteredLink(id)
  return (
    <ObjectDrawer
      title={query.data === undefined ? texts('registers.one') : sharedNames(query.data, texts)}
      query={query}
      onClose={onClose}
      renderFoot={(link) =>
        actionsFor(link).map((action) => (
          <Button
            key={action}
            kind={action === 'remove' ? 'danger' : 'outline'}
            onClick={() => {
              onClose()
              onAsk(action, link)
            }}
          >
            {texts(`registers.${action}`)}
          </Button>
        ))
      }
    >
      {(link) => (
        <>
          <Facts facts={factsOf(link, texts)} />
          <RegisterRecords link={link} />
          <RegisterHistory history={link.history} />
        </>
      )}
    </ObjectDrawer>
  )
}

function factsOf(link: AdminLinkDetail, texts: Texts): readonly Fact[] {
  const isShare = link.kind === 'share'
  const onOff = (isOn: boolean): string => texts(isOn ? 'links.yes' : 'links.no')
  return [
    { label: texts('links.status'), value: <RegisterState {...link} /> },
    { label: texts('registers.owner'), value: <span translate="no">{ownerText(link)}</span> },
    ...(link.department === ''
      ? []
      : [{ label: texts('registers.department'), value: <span translate="no">{link.department}</span> }]),
    { label: texts('links.place'), value: <span translate="no">{placeText(link, texts)}</span> },
    { label: texts('registers.address'), value: <span translate="no">{link.address}</span> },
    ...(link.missing === 0
      ? []
      : [{ label: texts('links.missing'), value: link.missing.toLocaleString(texts.locale) }]),
    { label: texts('registers.visits'), value: link.visits.toLocaleString(texts.locale) },
    { label: texts('links.column.created'), value: formatTime(link.createdAt / 1000) },
    ...(link.notBefore === 0 ? [] : [{ label: texts('links.not-before'), value: formatTime(link.notBefore / 1000) }]),
    { label: texts('links.column.expires'), value: expiryText(link, texts) },
    { label: texts('links.audience'), value: texts(`links.audience.${link.audience}`) },
    { label: texts('links.password'), value: onOff(link.hasPassword) },
    { label: texts('links.bind'), value: deviceText(link, texts) },
    ...(isShare ? [{ label: texts('links.allow-download'), value: onOff(link.allowDownload) }] : []),
    { label: texts('registers.code'), value: onOff(link.needEmail) },
    { label: texts('links.emails'), value: link.recipients.join(', ') },
    { label: texts('registers.notify'), value: onOff(link.notify) },
    ...(link.description === '' ? [] : [{ label: texts('links.description'), value: link.description }]),
  ]
}
