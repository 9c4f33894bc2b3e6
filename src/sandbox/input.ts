import type { Dialect } from '../api/dialect.ts';
import { isJsonObject, type JsonObject } from './json.ts';
import { Refusal } from './refusal.ts';
import type { ApiRequest } from './request.ts';

/** Like the live provider, the sandbox answers an input error with HTTP 500 and no envelope. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';
  readonly contentType: string;

  constructor(contentType: string, body: string) {
    super(body);
    this.contentType = contentType;
  }
}

/**
 * Reads the arguments of a call from plain parameters. With input_format=json, reads them from the JSON in `input_data`. The examples of
 * the specification use plain parameters even with input_format=json, so the specification's dialect reads both.
 */
export function readArguments(dialect: Dialect, request: ApiRequest): JsonObject {
  const { inputFormat = 'plain', inputData, parameters } = request;
  if (inputFormat !== 'plain' && inputFormat !== 'json') {
    throw dialect === 'provider'
      ? new InvalidInput('text/html; charset=utf-8', '<html><body><h1>500 Internal Server Error</h1></body></html>')
      : new Refusal('malformed', 'input_format must be plain or json');
  }
  if (request.outputFormat !== undefined && request.outputFormat !== 'json') {
    throw new Refusal('malformed', 'output_format must be json');
  }
  if (inputFormat === 'plain') {
    return parameters;
  }
  const data = inputData === undefined ? {} : parseInputData(dialect, inputData);
  return dialect === 'provider' ? data : { ...parameters, ...data };
}

function parseInputData(dialect: Dialect, text: string): JsonObject {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    data = undefined;
  }
  if (isJsonObject(data)) {
    return data;
  }
  // PHP encodes an empty object as a list.
  if (Array.isArray(data)) {
    return {};
  }
  throw dialect === 'provider'
    ? new InvalidInput('text/plain; charset=utf-8', 'Cannot parse the JSON input params')
    : new Refusal('malformed', 'input_data is not a JSON object');
}
