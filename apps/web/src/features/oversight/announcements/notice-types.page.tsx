import { routes } from '@godwit/contract/table'
import type { AdminNoticeType } from '@godwit/contract'
import { Link } from '@tanstack/react-router'
import { Megaphone } from 'lucide-react'
import { useMemo } from 'react'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { consoleShape } from '../../console-kit/console-shape.ts'
import { type ListColumn, ListPage } from '../../console-kit/list-page.tsx'
import type { ListSource } from '../../console-kit/list-source.ts'
import { useRight } from '../../identity/administration/index.ts'

const SHAPE = consoleShape({ filters: [] })

const source: ListSource<AdminNoticeType> = {
  key: 'notice-types',
  async load(api, { page, pageSize }, signal) {
    const { rows } = await api.call(routes.adminNotices.types, {}, signal === undefined ? {} : { signal })
    return { rows: rows.slice((page - 1) * pageSize, page * pageSize), total: rows.length }
  },
}

/** Notices that the server writes by itself: to whom, by which way, and where they are switched. */
export function NoticeTypesPage() {
  const texts = useTexts()
  const canSee = useRight('settings.view')
  const columns = useMemo(() => columnsOf(texts, canSee), [texts, canSee])
  return (
    <ListPage
      name="notice-types"
      title={texts('announcements.types')}
      help={texts('announcements.types.help')}
      back={{ to: '/admin/notices', label: texts('announcements.title') }}
      source={source}
      shape={SHAPE}
      filters={[]}
      columns={columns}
      idOf={({ kind }) => kind}
      nameOf={({ kind }) => texts(`announcements.type.${kind}`)}
      empty={{
        icon: <Megaphone size={28} />,
        title: texts('announcements.types'),
        text: texts('announcements.types.help'),
      }}
    />
  )
}

function columnsOf(texts: Texts, canSee: boolean): ReadonlyArray<ListColumn<AdminNoticeType>> {
  const kind = (row: AdminNoticeType): string => texts(`announcements.type.${row.kind}`)
  const to = (row: AdminNoticeType): string => texts(`announcements.to.${row.to}`)
  const ways = ({ byMail }: AdminNoticeType): string =>
    texts(byMail ? 'announcements.ways.both' : 'announcements.ways.portal')
  const state = ({ setting, isOn }: AdminNoticeType): string => {
    if (setting === '') return texts('announcements.always')
    return texts(isOn ? 'announcements.on' : 'announcements.off')
  }
  return [
    {
      id: 'kind',
      header: texts('announcements.types.kind'),
      narrow: 'title',
      width: 'minmax(200px, 2fr)',
      text: kind,
      cell: kind,
    },
    { id: 'to', header: texts('announcements.audience'), width: 'minmax(160px, 1fr)', text: to, cell: to },
    { id: 'ways', header: texts('announcements.channels'), width: 'minmax(180px, 1fr)', text: ways, cell: ways },
    {
      id: 'state',
      header: texts('announcements.state'),
      width: '150px',
      text: state,
      cell: (row) => {
        const tag = <Tag tone={row.isOn ? 'good' : 'plain'}>{state(row)}</Tag>
        if (row.setting === '' || !canSee) return tag
        return (
          <Link to="/admin/settings/more" search={{ find: row.setting }}>
            {tag}
          </Link>
        )
      },
    },
  ]
}
