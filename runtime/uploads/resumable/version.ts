export const tusVersion = "1.0.0";
export const tusExtensions = "creation,creation-with-upload,expiration,termination";
