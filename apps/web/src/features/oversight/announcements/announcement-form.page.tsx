import { routes } from '@godwit/contract/table'
import type { AnnouncementDetail } from '@godwit/contract'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useRef } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { FormPage } from '../../console-kit/form-page.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { announcementSchema } from './announcement-schema.tsx'
import { NEW_ANNOUNCEMENT, valuesOf, wantedOf } from './announcement-values.ts'
import { ANNOUNCEMENTS, titleOf, useAnnouncement } from './announcements-source.ts'

const LIST = '/admin/notices'

/** Writes a notice. */
export function NewAnnouncementPage() {
  const texts = useTexts()
  const { api, clock } = useServices()
  const leave = useLeave()
  return (
    <FormPage
      title={texts('announcements.new')}
      help={texts('announcements.new.help')}
      back={useBack()}
      schema={announcementSchema(texts, clock.now)}
      initial={NEW_ANNOUNCEMENT}
      submitLabel={texts('announcements.send')}
      onSend={async (values) => void (await api.call(routes.adminNotices.send, { body: wantedOf(values) }))}
      onSaved={() => leave('announcements.send.done')}
      onCancel={() => leave()}
    />
  )
}

/** Changes a planned notice. */
export function EditAnnouncementPage() {
  const texts = useTexts()
  const { noticeId }: { readonly noticeId?: string } = useParams({ strict: false })
  const query = useAnnouncement(noticeId)
  return (
    <LoadedPage title={texts('announcements.edit')} back={useBack()} query={query}>
      {(announcement) => <EditAnnouncementForm key={announcement.id} announcement={announcement} />}
    </LoadedPage>
  )
}

function EditAnnouncementForm({ announcement }: { readonly announcement: AnnouncementDetail }) {
  const texts = useTexts()
  const { api, clock } = useServices()
  const params = { noticeId: announcement.id }
  const revision = useRef(announcement.revision)
  const leave = useLeave()
  return (
    <FormPage
      title={texts('announcements.edit.of', { title: titleOf(announcement, texts.locale) })}
      help={texts('announcements.new.help')}
      back={useBack()}
      schema={announcementSchema(texts, clock.now)}
      initial={valuesOf(announcement)}
      submitLabel={texts('common.save')}
      onSend={async (values) => {
        const body = { ...wantedOf(values), revision: revision.current }
        await api.call(routes.adminNotices.edit, { params, body })
      }}
      onConflict={async () => {
        const { notice } = await api.call(routes.adminNotices.get, { params })
        revision.current = notice.revision
        return valuesOf(notice)
      }}
      onSaved={() => leave('announcements.edit.done')}
      onCancel={() => leave()}
    />
  )
}

function useLeave() {
  const texts = useTexts()
  const navigate = useNavigate()
  const { messages } = useServices()
  const refresh = useRefresh(ANNOUNCEMENTS)
  return (done?: 'announcements.send.done' | 'announcements.edit.done'): void => {
    if (done !== undefined) {
      void refresh()
      messages.notify('success', texts(done))
    }
    void navigate({ to: LIST })
  }
}

function useBack(): { readonly to: string; readonly label: string } {
  return { to: LIST, label: useTexts()('announcements.title') }
}
