// On Linux, the plugin UIKitOnLinux compiles the other files of this folder.
