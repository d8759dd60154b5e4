import { routes } from '@godwit/contract/table'
import type { Announcement } from '@godwit/contract'
import { ANNOUNCEMENT_STATES } from '@godwit/contract/oversight/announcement-limits'
import { useNavigate } from '@tanstack/react-router'
import { Ban, Megaphone, Pencil } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Action } from '../../../lib/actions.tsx'
import { formatTime } from '../../../lib/formats.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { TIME_WIDTH } from '../../../ui/data-table/index.ts'
import { FormDialog } from '../../../ui/form/index.ts'
import { Tag } from '../../../ui/tag.tsx'
import { consoleShape } from '../../console-kit/console-shape.ts'
import { type ListColumn, ListPage } from '../../console-kit/list-page.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { AnnouncementDrawer } from './announcement-drawer.tsx'
import { ANNOUNCEMENTS, announcementsSource, titleOf } from './announcements-source.ts'

const SHAPE = consoleShape({ filters: ['text', 'state'] })

/** Notices that administrators wrote: planned, on their way, sent, cancelled. */
export function AnnouncementsPage() {
  const texts = useTexts()
  const navigate = useNavigate()
  const [stopped, setStopped] = useState<Announcement>()
  const columns = useMemo(() => columnsOf(texts), [texts])
  const edit = ({ id }: { readonly id: string }): void => void navigate({ to: `/admin/notices/${id}` })
  const write = (
    <Button kind="solid" onClick={() => void navigate({ to: '/admin/notices/new' })}>
      {texts('announcements.new')}
    </Button>
  )
  const rowActions: ReadonlyArray<Action<Announcement>> = [
    {
      name: 'edit-announcement',
      label: 'announcements.edit',
      group: 'general',
      icon: Pencil,
      when: ({ state }) => state === 'planned',
      run: edit,
    },
    {
      name: 'cancel-announcement',
      label: 'announcements.cancel',
      group: 'general',
      icon: Ban,
      when: isOpen,
      run: setStopped,
    },
  ]
  return (
    <>
      <ListPage
        name="announcements"
        title={texts('announcements.title')}
        help={texts('announcements.help')}
        actions={
          <>
            <Button onClick={() => void navigate({ to: '/admin/notices/types' })}>
              {texts('announcements.types')}
            </Button>
            {write}
          </>
        }
        source={announcementsSource}
        shape={SHAPE}
        filters={[
          { kind: 'search', name: 'text', label: texts('announcements.filter') },
          {
            kind: 'choice',
            name: 'state',
            label: texts('announcements.state'),
            choices: ANNOUNCEMENT_STATES.map((value) => ({ value, label: texts(`announcements.state.${value}`) })),
          },
        ]}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={(row) => titleOf(row, texts.locale)}
        rowActions={rowActions}
        renderDrawer={(id, close) => (
          <AnnouncementDrawer
            id={id}
            onClose={close}
            onEdit={edit}
            onCancel={(announcement) => {
              close()
              setStopped(announcement)
            }}
          />
        )}
        empty={{
          icon: <Megaphone size={28} />,
          title: texts('announcements.empty.title'),
          text: texts('announcements.empty.text'),
          action: write,
        }}
      />
      {stopped !== undefined && <CancelDialog announcement={stopped} onClose={() => setStopped(undefined)} />}
    </>
  )
}

function isOpen({ state }: Pick<Announcement, 'state'>): boolean {
  return state === 'planned' || state === 'sending'
}

function CancelDialog({
  announcement,
  onClose,
}: {
  readonly announcement: Announcement
  readonly onClose: () => void
}) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useRefresh(ANNOUNCEMENTS)
  const title = titleOf(announcement, texts.locale)
  return (
    <FormDialog
      title={texts('announcements.cancel.title', { title })}
      text={texts('announcements.cancel.text', { count: announcement.reached })}
      submitLabel={texts('announcements.cancel')}
      isDangerous
      schema={{}}
      initial={{}}
      onClose={onClose}
      onSend={async () => {
        await api.call(routes.adminNotices.cancel, { body: { noticeId: announcement.id } })
        void refresh()
        messages.notify('success', texts('announcements.cancel.done', { title }))
      }}
    />
  )
}

function columnsOf(texts: Texts): ReadonlyArray<ListColumn<Announcement>> {
  const title = (row: Announcement): string => titleOf(row, texts.locale)
  const stateText = ({ state }: Announcement): string => texts(`announcements.state.${state}`)
  const channelText = ({ channels }: Announcement): string =>
    channels.map((channel) => texts(`announcements.channel.${channel}`)).join(', ')
  const number = (id: string, header: string, pick: (row: Announcement) => number): ListColumn<Announcement> => {
    const text = (row: Announcement): string => pick(row).toLocaleString(texts.locale)
    return { id, header, isNumeric: true, width: '100px', text, cell: text }
  }
  const sendAt = ({ sendAt: at }: Announcement): string => formatTime(at / 1000)
  return [
    {
      id: 'title',
      header: texts('announcements.title-column'),
      narrow: 'title',
      width: 'minmax(180px, 2fr)',
      text: title,
      cell: (row) => <span translate="no">{title(row)}</span>,
    },
    {
      id: 'state',
      header: texts('announcements.state'),
      width: '110px',
      text: stateText,
      cell: (row) => <Tag tone={row.state === 'sent' ? 'good' : 'plain'}>{stateText(row)}</Tag>,
    },
    { id: 'channels', header: texts('announcements.channels'), width: '150px', text: channelText, cell: channelText },
    { id: 'sendAt', header: texts('announcements.send-at'), width: TIME_WIDTH, text: sendAt, cell: sendAt },
    {
      id: 'author',
      header: texts('announcements.author'),
      width: '130px',
      text: ({ author }) => author,
      cell: ({ author }) => <span translate="no">{author}</span>,
    },
    number('reached', texts('announcements.reached'), ({ reached }) => reached),
    number('read', texts('announcements.read'), ({ read }) => read),
  ]
}
