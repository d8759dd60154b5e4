import type { AcmeView } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatTime } from '../../../lib/formats.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import type { FormSchema } from '../../../ui/form/index.ts'
import { Notice } from '../../../ui/notice.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { Facts } from '../../console-kit/facts.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { NotLoaded } from '../../console-kit/not-loaded.tsx'
import { PageFrame } from '../../console-kit/page-frame.tsx'
import { textFileField } from '../../console-kit/text-file-field.tsx'
import { SettingsForm } from './settings-form.tsx'
import { SETTING_SOURCES, useSettings } from './settings-query.ts'
import styles from './settings.module.css'

const KEY = 'acme'
const LOOK_MS = 2_000
const CALM_MS = 30_000
const AUTHORITY = 'acme.authority'
/** As the contract allows certificates. */
const PEM_MAX_BYTES = 128 * 1024

/** The certificate that the server orders itself: what, where, and how the last order ended. */
export function AcmePage() {
  return useTextBundle('papers') ? <Acme /> : null
}

function Acme() {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useRefresh(KEY)
  const query = useQuery({
    queryKey: ['console', KEY],
    // Orders end by themselves, so looking again is no activity of the person.
    queryFn: ({ signal }) => api.call(routes.acme.state, {}, { signal, quiet: true }),
    refetchInterval: ({ state }) => (state.data?.isOrdering === true ? LOOK_MS : CALM_MS),
  })
  const order = async (): Promise<void> => {
    try {
      await api.call(routes.acme.order, {})
      messages.notify('success', texts('acme.ordered'))
      await refresh()
    } catch (error) {
      messages.fail(error, texts)
    }
  }
  return (
    <LoadedPage title={texts('acme.title')} query={query}>
      {(view) => (
        <PageFrame
          title={texts('acme.title')}
          help={texts('acme.lead')}
          back={{ to: '/admin/certificates', label: texts('certificates.title') }}
          isNarrow
          actions={
            <>
              <Link className={styles['history']} to={`${SETTING_SOURCES.certificate.page}/history`}>
                {texts('settings.history.title')}
              </Link>
              {view.isOn && (
                <Button disabled={view.isOrdering} onClick={() => void order()}>
                  {texts('acme.order')}
                </Button>
              )}
            </>
          }
        >
          <Standing view={view} />
          <Wanted />
        </PageFrame>
      )}
    </LoadedPage>
  )
}

function Standing({ view }: { readonly view: AcmeView }) {
  const texts = useTexts()
  const { failure, triedAt, nextAt } = view
  const at = (time: number) => formatTime(time / 1000)
  return (
    <SectionCard title={texts('acme.orders')}>
      {failure !== null && (
        <Notice kind="warning">
          {texts(`acme.failed.${failure.reason}`)} {texts('acme.failed.calm')}
        </Notice>
      )}
      <Facts
        facts={[
          { label: texts('acme.state'), value: stateOf(view, texts) },
          ...(failure === null || failure.reason === 'not-allowed'
            ? []
            : [{ label: texts('acme.said'), value: <span translate="no">{failure.words}</span> }]),
          { label: texts('acme.last'), value: triedAt === null ? texts('acme.last.never') : at(triedAt) },
          ...(nextAt === null ? [] : [{ label: texts('acme.next'), value: at(nextAt) }]),
        ]}
      />
    </SectionCard>
  )
}

function stateOf({ isOn, isOrdering, failure }: AcmeView, texts: Texts): string {
  if (!isOn) return texts('acme.state.off')
  if (isOrdering) return texts('acme.state.ordering')
  return texts(failure === null ? 'acme.state.good' : 'acme.state.failed')
}

/** What is ordered, and where. */
function Wanted() {
  const texts = useTexts()
  const refresh = useRefresh(KEY)
  const query = useSettings(SETTING_SOURCES.certificate)
  const { data } = query
  if (data === undefined) return <NotLoaded query={query} />
  const refine = (schema: FormSchema<string>): FormSchema<string> => {
    const label = schema[AUTHORITY]?.label
    if (label === undefined) return schema
    const file = { label, hint: texts('acme.authority.hint'), accept: '.pem,.crt,.cer', maxBytes: PEM_MAX_BYTES }
    return { ...schema, [AUTHORITY]: textFileField<string>(AUTHORITY, { ...file, wire: AUTHORITY }) }
  }
  return (
    <SettingsForm source={SETTING_SOURCES.certificate} settings={data} refine={refine} onSaved={() => void refresh()} />
  )
}
