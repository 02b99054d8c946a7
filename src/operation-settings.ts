/**
 * Settings of what surrounds the data: browsers of other origins, compression.
 *
 * Floor 6. Part of the one list in config.ts.
 */
import {type OriginRule, readOrigins} from './http/origins.ts'
import {numberOrOff, oneOf, setting} from './setting.ts'

export const operationSettings = {
  CORS_ORIGINS: setting({
    initial: 'http://localhost:* http://127.0.0.1:*',
    about:
      'Whose web pages may use the service from a browser: origins, separated by blanks or commas; * as the port or ' +
      'as the first label of the host stands for any, * alone for every origin, none for nobody.',
    expected: 'origins such as https://app.example.org, https://*.example.org, http://localhost:*, or *, or none',
    read: readOrigins,
  }),
  CORS_CREDENTIALS: setting({
    initial: 'true',
    about: 'Whether those pages may send cookies and other credentials along, as existing clients do unasked.',
    expected: 'true or false',
    read: oneOf(['true', 'false']),
  }),
  COMPRESS_FROM_BYTES: setting({
    initial: '1400',
    about: 'Shortest body that is compressed for clients that accept it, in bytes; off: none ever is.',
    expected: 'a whole number of bytes from 0 to 1073741824, or off',
    read: numberOrOff(0, 2 ** 30),
  }),
} as const

type OperationName = keyof typeof operationSettings
type ValueOf<Name extends OperationName> = NonNullable<ReturnType<(typeof operationSettings)[Name]['read']>>

export type OperationConfig = {
  readonly cors: {readonly origins: readonly OriginRule[]; readonly hasCredentials: boolean}
  readonly compressFromBytes: number // Infinity: never
}

type Get = <Name extends OperationName>(name: Name) => ValueOf<Name> | undefined

export function readOperation(get: Get): OperationConfig {
  return {
    cors: {origins: get('CORS_ORIGINS') ?? [], hasCredentials: get('CORS_CREDENTIALS') !== 'false'},
    compressFromBytes: get('COMPRESS_FROM_BYTES') ?? Number.POSITIVE_INFINITY,
  }
}
