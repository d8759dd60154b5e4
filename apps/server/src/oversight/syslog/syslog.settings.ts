import { oneOf, whole, line } from '../../foundation/settings/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { defineSettings, setting } from '../../kernel/setting.ts'

export const SYSLOG_TRANSPORT = { off: 0, tls: 1, tcp: 2, udp: 3 } as const

const PLACE = { tab: 'log', ofWholeLog: true } as const
const FINGERPRINT = /^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/i

export const SYSLOG_SETTINGS = defineSettings(
  {
    'syslog.transport': setting(oneOf(Object.values(SYSLOG_TRANSPORT), SYSLOG_TRANSPORT.off), PLACE),
    'syslog.host': setting(line(253), PLACE),
    /** 6514 is that of TLS (RFC 5425); TCP and UDP use 514. */
    'syslog.port': setting(whole(1, 65_535, 'PORT_INVALID').default(6514), PLACE),
    /** SHA-256 of the collector's certificate (RFC 5425 §4.2.2); '' asks for one that an authority of the system signed. */
    'syslog.fingerprint': setting(
      line(95).refine((text) => text === '' || FINGERPRINT.test(text), 'must be a SHA-256 like AB:CD:…, 32 pairs'),
      PLACE,
    ),
  },
  (values) => {
    if (values['syslog.transport'] !== SYSLOG_TRANSPORT.off && values['syslog.host'] === '')
      throw new AppError('PARAMETER_INVALID', { field: 'syslog.host', rule: 'is needed to send' })
  },
)
