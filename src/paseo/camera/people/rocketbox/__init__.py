"""The avatars and clips of the Microsoft Rocketbox pack, as bodies and recorded motions."""
