export const fixedTypes: readonly string[] = [
  ..."Client ClientOptions CallOptions WriteOptions ChangeOptions RequestOptions UploadOptions UploadSource PageMeta CursorMeta Page".split(
    " ",
  ),
  ..."CursorPage FileDetails Person PersonWhere Related StatsOptions Counts Groups Equality Order Texts".split(
    " ",
  ),
  ..."TextCondition NumberCondition BooleanCondition TimeCondition IdCondition IdsCondition EnumCondition ListCondition TextListCondition FilesCondition ListChange Ref BatchOptions".split(
    " ",
  ),
  ..."BatchRecord BatchError BatchBuilder BatchApi SignedIn TwoFactorChallenge AuthConfig Me Session ServiceToken Passkey PasskeyTransport LinkedIdentity ConnectedApp AppRequest".split(
    " ",
  ),
  ..."AuthApi Account AccountList AccountEvent SharedView ListedResource ServerStatus FieldDescriptor ResourceDescriptor ImageProfile ServiceApi Failure BadRequest".split(
    " ",
  ),
  ..."Unauthorized Forbidden Conflict Invalid TooMany OtherFailure ApiError NetworkError Flat Named Picked".split(
    " ",
  ),
  ..."Included Only OnlyInside OnlyLast OptionsIn RelatedBy Within None Tagged Linked Call Answer ResourceNames Method Options Xhr XMLHttpRequest Sliceable PartSource ReadableStream".split(
    " ",
  ),
  ..."PublicKeyCredentialCreationOptionsJSON PublicKeyCredentialRequestOptionsJSON RegistrationResponseJSON AuthenticationResponseJSON".split(
    " ",
  ),
  ..."BatchApiOf BriefOf ReplaceOf UpdateOf ConditionsOf InverseOf FieldOf SortOf IncludeOf ShownOf GetOf ListOf StatsOf GroupFieldOf".split(
    " ",
  ),
  ..."GroupOf GroupIncludeOf AggregateOf BatchOf DeleteOf MethodsOf ByPage ByCursor ApiOf BatchBuilderOf ClientOf PersonTypes".split(
    " ",
  ),
  // Type parameters in a resource's types: they would shadow a record type of the same name.
  ..."FieldName IncludeOptions Mark By Inside".split(" "),
  // Global names that the generated code uses.
  ..."Promise Record Array Blob ArrayBuffer Uint8Array Uint32Array File Error TypeError Number Object String JSON Math Pick Omit".split(
    " ",
  ),
  ..."Exclude Extract AbortSignal AbortController ReturnType WeakMap AsyncGenerator AsyncIterable Date".split(
    " ",
  ),
];
