import type { AnnouncementDetail } from '@godwit/contract'
import { formatTime } from '../../../lib/formats.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { type Fact, Facts } from '../../console-kit/facts.tsx'
import { ObjectDrawer } from '../../console-kit/object-drawer.tsx'
import styles from './announcements.module.css'
import { titleOf, useAnnouncement } from './announcements-source.ts'

export interface AnnouncementDrawerProps {
  readonly id: string
  readonly onClose: () => void
  readonly onEdit: (announcement: AnnouncementDetail) => void
  readonly onCancel: (announcement: AnnouncementDetail) => void
}

/** One notice beside the list: whom it is for, how many have it, and its words. */
export function AnnouncementDrawer({ id, onClose, onEdit, onCancel }: AnnouncementDrawerProps) {
  const texts = useTexts()
  const query = useAnnouncement(id)
  return (
    <ObjectDrawer
      title={query.data === undefined ? texts('announcements.one') : titleOf(query.data, texts.locale)}
      query={query}
      onClose={onClose}
      renderFoot={(announcement) => (
        <>
          {(announcement.state === 'planned' || announcement.state === 'sending') && (
            <Button kind="danger" onClick={() => onCancel(announcement)}>
              {texts('announcements.cancel')}
            </Button>
          )}
          {announcement.state === 'planned' && (
            <Button onClick={() => onEdit(announcement)}>{texts('announcements.edit')}</Button>
          )}
        </>
      )}
    >
      {(announcement) => (
        <>
          <Facts facts={factsOf(announcement, texts)} />
          <Words language={texts('announcements.english')} title={announcement.titleEn} text={announcement.textEn} />
          <Words language={texts('announcements.chinese')} title={announcement.titleZh} text={announcement.textZh} />
        </>
      )}
    </ObjectDrawer>
  )
}

interface WordsProps {
  readonly language: string
  readonly title: string
  readonly text: string
}

function Words({ language, title, text }: WordsProps) {
  if (title === '') return null
  return (
    <section className={styles['words']}>
      <h3>{language}</h3>
      <p className={styles['subject']} translate="no">
        {title}
      </p>
      <p translate="no">{text}</p>
    </section>
  )
}

function factsOf(announcement: AnnouncementDetail, texts: Texts): readonly Fact[] {
  const { state, channels, reached, mailed, read, sendAt, createdAt, finishedAt, author } = announcement
  const time = (at: number): string => formatTime(at / 1000)
  const byMail = channels.includes('email')
  return [
    { label: texts('announcements.state'), value: texts(`announcements.state.${state}`) },
    { label: texts('announcements.audience'), value: <span translate="no">{audienceText(announcement, texts)}</span> },
    {
      label: texts('announcements.channels'),
      value: channels.map((channel) => texts(`announcements.channel.${channel}`)).join(', '),
    },
    { label: texts('announcements.reached'), value: reached.toLocaleString(texts.locale) },
    ...(byMail ? [{ label: texts('announcements.mailed'), value: mailed.toLocaleString(texts.locale) }] : []),
    { label: texts('announcements.read'), value: read.toLocaleString(texts.locale) },
    { label: texts('announcements.author'), value: <span translate="no">{author}</span> },
    { label: texts('announcements.created'), value: time(createdAt) },
    { label: texts('announcements.send-at'), value: time(sendAt) },
    ...(finishedAt === null ? [] : [{ label: texts('announcements.finished'), value: time(finishedAt) }]),
  ]
}

function audienceText({ audience }: AnnouncementDetail, texts: Texts): string {
  const { all, users, groups, departments } = audience
  if (all) return texts('announcements.everybody')
  return [...users, ...groups, ...departments].map(({ name }) => name).join(', ')
}
